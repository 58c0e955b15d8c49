import { z } from "zod";
import { checkLegacyMessage } from "./legacy.ts";
import { checkServerMessage, checkSubscription } from "./message.ts";

export interface ObservedRequest {
  readonly id: string | number;
  readonly method: string;
  readonly progressToken?: string | number;
  /** The revision, when it has `initialize`. */
  readonly legacyVersion?: string;
}

const message = z.looseObject({
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
});
type Message = z.output<typeof message>;

/**
 * Throws unless `messages` are the whole exchange of one request that was answered: notifications that
 * belong to it, then its one response, and nothing after.
 */
export function checkLifecycle(messages: readonly unknown[], request: ObservedRequest): void {
  const { legacyVersion } = request;
  for (const each of messages) {
    if (legacyVersion === undefined) checkServerMessage(each, request);
    else checkLegacyMessage(each, legacyVersion, request);
  }
  // Questions of the server have ids of their own; only the older revisions have any.
  const all = messages.map((each) => message.parse(each)).filter((each) => !isQuestion(each));
  const responses = all.filter(({ method }) => method === undefined);
  if (responses.length !== 1) throw new Error(`Expected exactly one response, got ${responses.length}`);
  const last = all.at(-1);
  if (last === undefined || last.method !== undefined)
    throw new Error(`Expected nothing after the response, got ${print(last)}`);
  if (last.id !== request.id) throw new Error(`Expected the id ${print(request.id)}, got ${print(last.id)}`);
  const notifications = all.slice(0, -1);
  checkProgress(notifications.filter(isProgress), request);
  checkDelivered(
    notifications.filter((each) => !isProgress(each)),
    request,
  );
}

function checkProgress(notifications: readonly Message[], { progressToken }: ObservedRequest): void {
  let previous = Number.NEGATIVE_INFINITY;
  for (const { params = {} } of notifications) {
    if (progressToken === undefined || params.progressToken !== progressToken) {
      throw new Error(`Expected the token ${print(progressToken)}, got ${print(params.progressToken)}`);
    }
    const value = Number(params.progress);
    if (!(value > previous)) throw new Error(`Expected progress to exceed ${previous}, got ${value}`);
    previous = value;
  }
}

function checkDelivered(notifications: readonly Message[], { id, method }: ObservedRequest): void {
  for (const [index, notification] of notifications.entries()) {
    const isAcknowledgement = notification.method === "notifications/subscriptions/acknowledged";
    if (method !== "subscriptions/listen" || isAcknowledgement !== (index === 0)) {
      throw new Error(`Expected an acknowledgement first, and only for a subscription, got ${print(notification)}`);
    }
    checkSubscription(notification.params ?? {}, id);
  }
}

function isQuestion({ id, method }: Message): boolean {
  return id !== undefined && method !== undefined;
}

function isProgress({ method }: Message): boolean {
  return method === "notifications/progress";
}

function print(value: unknown): string {
  return JSON.stringify(value) ?? "none";
}
