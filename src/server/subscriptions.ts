import { EMPTY, merge, takeUntil } from "rxjs";
import { z } from "zod";
import { type RequestId, type Result, whenAborted } from "../events/index.ts";
import { metaKeys } from "../wire/index.ts";
import type { Call } from "./call.ts";
import type { Method, Parts } from "./method.ts";
import { readParams } from "./parse.ts";
import type { Registry } from "./registry.ts";

const listenParams = z.looseObject({
  notifications: z.looseObject({
    toolsListChanged: z.boolean().optional(),
    promptsListChanged: z.boolean().optional(),
    resourcesListChanged: z.boolean().optional(),
    resourceSubscriptions: z.array(z.string()).optional(),
  }),
});

/**
 * `subscriptions/listen`. Lists never change here, so only updates of resources are granted.
 * MCP 2026-07-28, basic/patterns/subscriptions.
 */
export function listen(parts: Parts): Method {
  return ({ params }) => {
    const { resourceSubscriptions } = readParams(listenParams, params).notifications;
    const granted = parts.registry.hasResources ? resourceSubscriptions : undefined;
    return { start: (call) => subscribe(call, granted && known(granted, parts.registry), parts) };
  };
}

function known(uris: readonly string[], registry: Registry): readonly string[] {
  return [...new Set(uris)].filter((uri) => registry.findResource(uri) !== undefined);
}

function subscribe(call: Call, granted: readonly string[] | undefined, { updates, closing, answer }: Parts): void {
  const { id, closing: carrierCloses } = call.request;
  const end = (): void => {
    if (isShared(call)) notify(call, "notifications/cancelled", { requestId: id, reason: "The server is closing" });
    call.end(answer(withId(id, {})));
  };
  notify(call, "notifications/subscriptions/acknowledged", {
    notifications: granted === undefined ? {} : { resourceSubscriptions: granted },
  });
  merge(closing, carrierCloses === undefined ? EMPTY : whenAborted(carrierCloses))
    .pipe(takeUntil(call.over))
    .subscribe(end);
  updates.pipe(takeUntil(call.over)).subscribe(deliver(call, new Set(granted)));
}

/**
 * Sends the updates that were asked for. While the carrier is behind, a resource that changes again is
 * still one update, so a client that does not read costs no more than it subscribed to.
 */
function deliver(call: Call, granted: ReadonlySet<string>): (uri: string) => void {
  const waiting = new Set<string>();
  let behind = false;
  const send = (uri: string): void => {
    behind = true;
    notify(call, "notifications/resources/updated", { uri });
    void call.exchange.drained().then(next, next);
  };
  const next = (): void => {
    behind = false;
    const [uri] = waiting;
    if (uri === undefined || call.isOver) return;
    waiting.delete(uri);
    send(uri);
  };
  return (uri) => {
    if (!granted.has(uri)) return;
    if (behind) waiting.add(uri);
    else send(uri);
  };
}

function notify(call: Call, method: string, params: object): void {
  call.line.publish({ type: "notification", method, params: withId(call.request.id, params) });
}

/**
 * On a channel that requests share, a subscription that the server ends is cancelled by it, too; on HTTP the
 * end of its own stream says so. MCP 2026-07-28, basic/patterns/cancellation.
 */
function isShared({ exchange }: Call): boolean {
  return exchange.header("mcp-method") === undefined;
}

/** Every message of a subscription says which one it belongs to. */
function withId(id: RequestId, params: object): Result {
  return { _meta: { [metaKeys.subscriptionId]: id }, ...params };
}
