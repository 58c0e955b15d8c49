import type { ElicitationEvent, NotificationEvent, ProgressEvent, RequestEvent } from "../../src/events/index.ts";

const question: ElicitationEvent = { type: "elicitation", key: "q", request: { method: "elicitation/create" } };
const notification: NotificationEvent = { type: "notification", method: "notifications/resources/updated", params: {} };

/** Events by the letter that stands for them in a marble picture: a to o are progress 1 to 15. */
export const samples: Readonly<Record<string, RequestEvent>> = {
  ...Object.fromEntries([..."abcdefghijklmno"].map((letter, at) => [letter, progressed(at + 1)])),
  Q: question,
  N: notification,
  R: { type: "result", result: {} },
  E: { type: "error", error: { code: -32603, message: "Internal error" } },
  I: { type: "input-required", inputRequests: {}, requestState: "sealed" },
};

export function progressed(progress: number): ProgressEvent {
  return { type: "progress", progress };
}

export { notification, question };
