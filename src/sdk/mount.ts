import type { McpServer as OfficialServer } from "@modelcontextprotocol/server";
import { asyncScheduler } from "rxjs";
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

/** Definitions that can be mounted on servers of the official SDK, on as many as there are. */
export interface Mount {
  /** Registers all definitions on a server. @throws when the server has one of that name already. */
  mount(server: OfficialServer): void;
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
  warnUnheard(core.diagnostics);
  const { dispatch, diagnostics } = core;
  return {
    mount(server) {
      const registration = new Registration(server, {
        dispatch,
        diagnostics,
        scheduler,
        principal,
        hasOwnKey: requestState.keys === undefined,
      });
      for (const tool of definitions.tools ?? []) registration.addTool(tool);
      for (const prompt of definitions.prompts ?? []) registration.addPrompt(prompt);
      for (const resource of definitions.resources ?? []) registration.addResource(resource);
    },
    verifyRequestState: (own) => hookOf({ ...requestState, principal }, own, () => scheduler.now()),
    diagnostics,
  };
}
