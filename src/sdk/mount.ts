import type {
  McpServer as OfficialServer,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredResourceTemplate,
  RegisteredTool,
} from "@modelcontextprotocol/server";
import { asyncScheduler } from "rxjs";
import { describeGiven } from "../errors.ts";
import type { Diagnostics } from "../events/index.ts";
import {
  createMcpServer,
  type PromptDefinition,
  type ResourceDefinition,
  type ServerOptions,
  type ToolDefinition,
} from "../server/index.ts";
import { warnUnheard } from "../transports/index.ts";
import type { CallerOptions } from "./exchange.ts";
import { keysOf } from "./keys.ts";
import { Registration } from "./registration.ts";
import { hookOf, type VerifyRequestState } from "./verify.ts";

/** What is mounted: definitions as `createMcpServer` takes them. */
export interface Mounted {
  readonly tools?: readonly ToolDefinition[] | undefined;
  readonly prompts?: readonly PromptDefinition[] | undefined;
  readonly resources?: readonly ResourceDefinition[] | undefined;
}

export interface MountOptions
  extends Pick<ServerOptions, "cadence" | "maskErrors" | "requestState" | "scheduler" | "timeoutMs">,
    CallerOptions {}

/** What the SDK's server registered, to disable, rename or remove: it tells its clients that a list has changed. */
export interface Registered {
  /** By name. */
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  /** By name. */
  readonly prompts: ReadonlyMap<string, RegisteredPrompt>;
  /** By URI, or by the text of its template. */
  readonly resources: ReadonlyMap<string, RegisteredResource | RegisteredResourceTemplate>;
}

/** Definitions that can be mounted on servers of the official SDK, on as many as there are. */
export interface Mount {
  /** Registers all definitions on a server. @throws when the server has one of that name already. */
  registerOn(server: OfficialServer): Registered;
  /**
   * The hook for `ServerOptions.requestState.verify`, so that a state which was altered, is too old or belongs
   * to another principal gets a JSON-RPC error. States of the host's own go to its own hook. Without the hook
   * the first state that comes back is a diagnostic.
   */
  verifyRequestState(own?: VerifyRequestState): VerifyRequestState;
  /** While nobody subscribes, the first of each kind is printed as a process warning. */
  readonly diagnostics: Diagnostics;
}

/**
 * Prepares definitions for servers of the official SDK. Make it once, outside of a factory that makes a server
 * per request: keys and checks are made here.
 * @throws when an option makes no sense, or a name or URI is used twice.
 */
export function createMount(definitions: Mounted, options: MountOptions = {}): Mount {
  const { principal, requestState = {}, ...settings } = options;
  const { scheduler = asyncScheduler } = settings;
  const core = createMcpServer(
    { name: "mounted", version: "0", ...definitions },
    { ...settings, requestState: { ...requestState, keys: keysOf(requestState) } },
  );
  warnUnheard(core);
  const { dispatch, diagnostics } = core;
  return {
    registerOn(server) {
      if (typeof server?.registerTool !== "function") {
        throw new TypeError(`Expected \`server\` to be an McpServer of the official SDK, got ${describeGiven(server)}`);
      }
      const registration = new Registration(server, {
        dispatch,
        diagnostics,
        scheduler,
        principal,
        hasOwnKey: requestState.keys === undefined,
      });
      const { tools = [], prompts = [], resources = [] } = definitions;
      return {
        tools: new Map(tools.map((tool) => [tool.name, registration.addTool(tool)])),
        prompts: new Map(prompts.map((prompt) => [prompt.name, registration.addPrompt(prompt)])),
        resources: new Map(resources.map((resource) => [addressOf(resource), registration.addResource(resource)])),
      };
    },
    verifyRequestState: (own) => hookOf({ ...requestState, principal }, own, () => scheduler.now()),
    diagnostics,
  };
}

function addressOf({ address }: ResourceDefinition): string {
  return typeof address === "string" ? address : address.text;
}
