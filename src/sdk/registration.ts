import {
  type CallToolResult,
  type GetPromptResult,
  type Icon,
  type McpServer as OfficialServer,
  type ReadResourceResult,
  type RegisteredPrompt,
  type RegisteredResource,
  type RegisteredResourceTemplate,
  type RegisteredTool,
  type ResourceMetadata,
  ResourceTemplate,
  type ServerContext,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { PromptDefinition, ResourceDefinition, ToolDefinition } from "../server/index.ts";
import { type CarryOptions, carry } from "./carry.ts";
import { callbacksOf, type ListedArgument, passing, passingArguments } from "./schema.ts";

/** What the SDK's configurations of tools and prompts have in common with a listing. */
interface Shown {
  readonly title?: string;
  readonly description?: string;
  readonly icons?: Icon[];
  readonly annotations?: ToolAnnotations;
}

/** Registers definitions on one server of the SDK, with callbacks that go to the core. */
export class Registration {
  readonly #server: OfficialServer;
  readonly #options: CarryOptions;

  constructor(server: OfficialServer, options: Omit<CarryOptions, "server">) {
    this.#server = server;
    this.#options = { ...options, server };
  }

  addTool({ name, listing }: ToolDefinition): RegisteredTool {
    const { inputSchema, outputSchema, ...config } = listing;
    const input = passing(inputSchema as object);
    const output = outputSchema === undefined ? undefined : passing(outputSchema as object);
    return this.#server.registerTool(
      name,
      { ...(config as Shown), inputSchema: input, ...(output && { outputSchema: output }) },
      (args, ctx) => this.#carry<CallToolResult>(ctx, "tools/call", { name, arguments: args }),
    );
  }

  addPrompt({ name, listing, completers }: PromptDefinition): RegisteredPrompt {
    const { arguments: listed = [], ...config } = listing;
    const argsSchema = passingArguments(listed as readonly ListedArgument[], completers);
    return this.#server.registerPrompt(name, { ...(config as Shown), argsSchema }, (args, ctx) =>
      this.#carry<GetPromptResult>(ctx, "prompts/get", { name, arguments: args }),
    );
  }

  addResource(definition: ResourceDefinition): RegisteredResource | RegisteredResourceTemplate {
    const { name, address, listing, completers, ttlMs, cacheScope } = definition;
    const { uri: _, uriTemplate: __, name: ___, ...metadata } = listing;
    const cacheHint = { ...(ttlMs !== undefined && { ttlMs }), ...(cacheScope !== undefined && { cacheScope }) };
    const config = { ...(metadata as ResourceMetadata), ...(Object.keys(cacheHint).length > 0 && { cacheHint }) };
    const read = (uri: string, ctx: ServerContext) => this.#carry<ReadResourceResult>(ctx, "resources/read", { uri });
    if (typeof address === "string") {
      return this.#server.registerResource(name, new URL(address).href, config, (__uri, ctx) => read(address, ctx));
    }
    const complete = Object.fromEntries(callbacksOf(completers));
    const template = new ResourceTemplate(address.text, { list: undefined, complete });
    return this.#server.registerResource(name, template, config, (uri, __variables, ctx) => read(uri.href, ctx));
  }

  /** What the core has checked is of the type that its method has. */
  #carry<R>(ctx: ServerContext, method: string, params: Readonly<Record<string, unknown>>): Promise<R> {
    return carry(ctx, method, params, this.#options) as Promise<R>;
  }
}
