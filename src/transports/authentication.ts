import type { IncomingMessage } from "node:http";
import { describeGiven } from "../errors.ts";
import { canonicalJson } from "../events/index.ts";

/** Who may call a server, and as whom. */
export interface AuthenticationPolicy {
  /**
   * Says who sends a request, from its headers; may take its time. What it returns is the handlers'
   * `ctx.principal`, and what questions and sessions are bound to, so JSON must tell it from every other: plain
   * objects, texts, numbers. `undefined`, `null` or `false` refuses with 401. What it throws, and a principal
   * that JSON cannot tell from others, ends the request with 500 and is told to diagnostics only. On WebSocket it
   * is asked once, before the upgrade.
   * @default nobody is asked, and `ctx.principal` is `undefined`
   */
  readonly authenticate?: ((request: IncomingMessage) => unknown) | undefined;
  /** The `WWW-Authenticate` header of a refusal. RFC 9110, section 11.6.1. @default "Bearer" */
  readonly challenge?: string | undefined;
}

export type Identity =
  | { readonly type: "known"; readonly principal: unknown }
  | { readonly type: "unknown"; readonly challenge: string }
  | { readonly type: "failed"; readonly cause: unknown };

/** Asks who sends a request. Never rejects. */
export async function identify(
  request: IncomingMessage,
  { authenticate, challenge = "Bearer" }: AuthenticationPolicy,
): Promise<Identity> {
  try {
    const principal = await authenticate?.(request);
    if (authenticate === undefined) return { type: "known", principal };
    if (principal === undefined || principal === null || principal === false) return { type: "unknown", challenge };
    // Whoever is bound to it must never be taken for somebody else.
    canonicalJson(principal);
    return { type: "known", principal };
  } catch (cause) {
    return { type: "failed", cause };
  }
}

/** @throws TypeError for a header that cannot be sent. */
export function checkAuthentication({ authenticate, challenge }: AuthenticationPolicy): void {
  if (authenticate !== undefined && typeof authenticate !== "function") {
    throw new TypeError(`Expected \`authenticate\` to be a function, got ${describeGiven(authenticate)}`);
  }
  if (challenge !== undefined && !/^[\x20-\x7e]+$/.test(challenge)) {
    throw new TypeError(`Expected \`challenge\` to be a header value in ASCII, got ${describeGiven(challenge)}`);
  }
}
