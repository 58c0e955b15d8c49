import { tap } from "rxjs";
import { Cancelled, isInstance } from "../errors.ts";
import { Diagnostics, type Dispatch, type RequestEvent, type RequestId, type Servable } from "../events/index.ts";
import { createMcpServer, type ToolDefinition } from "../server/index.ts";

/** What is put to the test: a server, its bare port, or a single tool, which gets a server of its own. */
export type Target = Servable | Dispatch | ToolDefinition;

/** What can be seen of a request from outside its handler. */
export interface Watcher {
  event?(id: RequestId, event: RequestEvent): void;
  /** Its handler was told to stop. A deadline shows only when the target is a tool. */
  told?(id: RequestId, reason: Error): void;
  /** What its handler returned; only when the target is a tool. */
  returned?(id: RequestId, value: unknown): void;
}

/** A target as a server, each of whose requests is watched. */
export function servableOf(target: Target, watcher: Watcher = {}): Servable {
  if (typeof target === "function") return watchPort({ dispatch: target, diagnostics: new Diagnostics() }, watcher);
  if ("dispatch" in target) return watchPort(target, watcher);
  const definition = { name: "testing", version: "1.0.0", tools: [watchTool(target, watcher)] };
  return watchPort(createMcpServer(definition), watcher);
}

/** A server asks why its client left when, and only when, it tells the handler. */
function watchPort({ dispatch, diagnostics }: Servable, watcher: Watcher): Servable {
  return {
    diagnostics,
    dispatch: (request, exchange) => {
      const whyLeft = (): Error => {
        const reason = request.whyLeft?.() ?? new Cancelled();
        watcher.told?.(request.id, reason);
        return reason;
      };
      return dispatch({ ...request, whyLeft }, exchange).pipe(tap((event) => watcher.event?.(request.id, event)));
    },
  };
}

function watchTool(tool: ToolDefinition, watcher: Watcher): ToolDefinition {
  return {
    ...tool,
    handler(args, ctx) {
      const { requestId, signal } = ctx;
      signal.addEventListener("abort", () => {
        const reason: unknown = signal.reason;
        if (isInstance(reason, Error)) watcher.told?.(requestId, reason);
      });
      const value = tool.handler(args, ctx);
      watcher.returned?.(requestId, value);
      return value;
    },
  };
}
