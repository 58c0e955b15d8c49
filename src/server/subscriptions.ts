import { EMPTY, fromEvent, merge, takeUntil } from "rxjs";
import { z } from "zod";
import { McpError } from "../errors.ts";
import type { RequestId, Result } from "../events/index.ts";
import { INVALID_REQUEST, metaKeys } from "../wire/index.ts";
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
  return ({ params }, { deliversProgress }) => {
    const { resourceSubscriptions } = readParams(listenParams, params).notifications;
    if (!deliversProgress) {
      throw new McpError(INVALID_REQUEST, "A subscription needs a response that can stream, such as text/event-stream");
    }
    const granted = resourceSubscriptions && known(resourceSubscriptions, parts.registry);
    return { start: (call) => subscribe(call, granted, parts) };
  };
}

function known(uris: readonly string[], registry: Registry): readonly string[] {
  return [...new Set(uris)].filter((uri) => registry.findResource(uri) !== undefined);
}

function subscribe(call: Call, granted: readonly string[] | undefined, { updates, closing, answer }: Parts): void {
  const { id, closing: carrierCloses } = call.request;
  const end = (): void => call.end(answer(withId(id, {})));
  notify(call, "notifications/subscriptions/acknowledged", {
    notifications: granted === undefined ? {} : { resourceSubscriptions: granted },
  });
  if (carrierCloses?.aborted) return end();
  merge(closing, carrierCloses === undefined ? EMPTY : fromEvent(carrierCloses, "abort"))
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

/** Every message of a subscription says which one it belongs to. */
function withId(id: RequestId, params: object): Result {
  return { _meta: { [metaKeys.subscriptionId]: id }, ...params };
}
