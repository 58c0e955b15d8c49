import { z } from "zod";
import { errorResponse } from "./errors.ts";
import { notifications } from "./notifications.ts";
import { resultSchema } from "./results.ts";
import { check, identifier } from "./schemas.ts";

const object = z.looseObject({});
const resultResponse = z.strictObject({ jsonrpc: z.literal("2.0"), id: identifier, result: object });

/**
 * Throws unless `value` is a message that a server of 2026-07-28 may send and this project promises to:
 * stricter than the specification where the project is. With the method of the request that it answers,
 * a result is checked against that method.
 */
export function checkServerMessage(value: unknown, request?: { readonly method: string }): void {
  check(object, value, "a message");
  const message = object.parse(value);
  if ("method" in message) return checkNotification(message);
  if ("error" in message) return check(errorResponse, message, "an error response");
  check(resultResponse, message, "a result response");
  const { id, result } = resultResponse.parse(message);
  check(resultSchema(result.resultType, request?.method), result, `a result of ${request?.method ?? "any method"}`);
  if (request?.method === "subscriptions/listen") checkSubscription(result, id);
}

/** Throws unless `params` or a result belongs to the subscription that the request `id` opened. */
export function checkSubscription({ _meta }: Readonly<Record<string, unknown>>, id: unknown): void {
  const key = "io.modelcontextprotocol/subscriptionId";
  const found = object.safeParse(_meta).data?.[key];
  if (found !== id) throw new Error(`Expected ${key} to be ${JSON.stringify(id)}, got ${JSON.stringify(found)}`);
}

function checkNotification(message: Readonly<Record<string, unknown>>): void {
  const schema = notifications.get(String(message.method));
  if (schema === undefined) throw new Error(`Expected a notification of a server, got ${JSON.stringify(message)}`);
  check(schema, message, `a ${message.method}`);
}
