import type { IncomingMessage } from "node:http";
import { Cancelled } from "../errors.ts";
import type { RequestId } from "../events/index.ts";
import { readCancellation } from "../wire/index.ts";
import { httpVersions, type LegacyClient } from "./era.ts";
import type { HttpRequest } from "./http-request.ts";
import { Questions } from "./questions.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** A client of the 2025 era from its handshake on. MCP 2025-11-25, basic/transports, Session Management. */
export class HttpSession {
  readonly id: string;
  readonly client: LegacyClient;
  /** Whose it is, as text: nobody else may use it. */
  readonly owner: string | undefined;
  readonly questions = new Questions();
  readonly #requests = new Map<RequestId, HttpRequest>();
  /** How many responses are open. */
  open = 0;

  constructor(id: string, client: LegacyClient, owner: string | undefined) {
    this.id = id;
    this.client = client;
    this.owner = owner;
  }

  has(id: RequestId): boolean {
    return this.#requests.has(id);
  }

  add(id: RequestId, request: HttpRequest): void {
    this.#requests.set(id, request);
  }

  remove(id: RequestId): void {
    this.#requests.delete(id);
  }

  /** Takes a notification; only a cancellation has a meaning. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method !== "notifications/cancelled") return;
    const cancellation = readCancellation(params);
    if (cancellation === undefined) return;
    this.#requests.get(cancellation.requestId)?.cancel(new Cancelled(cancellation.reason));
  }

  /** Aborts what runs. */
  end(reason: Error): void {
    for (const request of [...this.#requests.values()]) request.abort(reason, ended);
  }
}

/** Where a request belongs that is none of the modern era. */
export type Entry =
  | { readonly type: "entered"; readonly session: HttpSession; readonly client: LegacyClient }
  /** It names no session. */
  | { readonly type: "missing" }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** Finds the session that a request names, and the revision that it is to be served by. */
export function enter(
  { headers }: Pick<IncomingMessage, "headers">,
  find: (id: string) => HttpSession | undefined,
): Entry {
  const id = headers["mcp-session-id"];
  if (id === undefined) return { type: "missing" };
  const session = typeof id === "string" ? find(id) : undefined;
  if (session === undefined) return { type: "refused", refusal: ended };
  const protocolVersion = headers["mcp-protocol-version"] ?? session.client.protocolVersion;
  if (typeof protocolVersion !== "string" || !httpVersions.includes(protocolVersion)) {
    const message = `Expected the MCP-Protocol-Version header to be one of ${httpVersions.join(", ")}`;
    return { type: "refused", refusal: refusal(400, message) };
  }
  return { type: "entered", session, client: { ...session.client, protocolVersion } };
}

/** The one thing that a client may do about it is another handshake. */
const ended = refusal(404, "The session is unknown or has ended");
