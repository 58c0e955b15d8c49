import { z } from "zod";
import { canonicalJson } from "../events/index.ts";
import type { MrtrContext } from "../mrtr/index.ts";
import type { ServerDefinition } from "../server/index.ts";

/** How the core runs one kind of handler. */
export interface Kind {
  readonly method: "tools/call" | "prompts/get" | "resources/read";
  /** The one definition of a server for one call. */
  readonly define: (run: Run, address: Address) => Partial<ServerDefinition>;
  /**
   * What a call is bound to. The SDK has checked what it gives.
   * @throws TypeError for what a schema has made into something without a JSON form.
   */
  readonly params: (given: readonly unknown[], address: Address) => Readonly<Record<string, unknown>>;
}

/** Runs the handler. What it returns is none of the core's business, which only needs something that it can send. */
type Run = (ctx: MrtrContext) => Promise<void>;

interface Address {
  /** The registered name; of a resource the URI. */
  readonly name: string;
  readonly hasName: boolean;
}

/** Made once: a schema costs more than all else that is made for a call. */
const anything = /* @__PURE__ */ z.unknown();

export const toolKind: Kind = {
  method: "tools/call",
  define: (run, { name }) => ({
    tools: [
      {
        type: "tool",
        name,
        inputSchema: anything,
        headerParameters: [],
        listing: {},
        handler: (_args, ctx) => run(ctx),
      },
    ],
  }),
  params: (given, { name }) => ({ name, arguments: { given } }),
};

export const promptKind: Kind = {
  method: "prompts/get",
  define: (run, { name }) => ({
    prompts: [
      {
        type: "prompt",
        name,
        argsSchema: anything,
        parameters: [],
        completers: new Map(),
        listing: {},
        handler: (_args, ctx) => run(ctx).then(() => ""),
      },
    ],
  }),
  // Arguments of prompts are text.
  params: (given, { name }) => ({ name, arguments: { given: canonicalJson(given) } }),
};

export const resourceKind: Kind = {
  method: "resources/read",
  define: (run, { name }) => ({
    resources: [
      {
        type: "resource",
        name,
        address: name,
        completers: new Map(),
        listing: {},
        read: (_uri, _variables, ctx) => run(ctx).then(() => ""),
      },
    ],
  }),
  params: (_given, { name }) => ({ uri: name }),
};
