import type { IncomingMessage } from "node:http";

/** Who may call a server, and as whom. */
export interface AuthenticationPolicy {
  /**
   * Says who sends a request, from its headers; may take its time. What it returns is the handlers'
   * `ctx.principal`, and what a question's `requestState` is bound to, so it must survive JSON. `undefined` or
   * `null` refuses with 401. What it throws ends the request with 500 and is told to diagnostics only. On
   * WebSocket it is asked once, before the upgrade.
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
    const isKnown = authenticate === undefined || (principal !== undefined && principal !== null);
    return isKnown ? { type: "known", principal } : { type: "unknown", challenge };
  } catch (cause) {
    return { type: "failed", cause };
  }
}

/** @throws TypeError for a header that cannot be sent. */
export function checkAuthentication({ authenticate, challenge }: AuthenticationPolicy): void {
  if (authenticate !== undefined && typeof authenticate !== "function") {
    throw new TypeError(`Expected \`authenticate\` to be a function, got ${typeof authenticate}`);
  }
  if (challenge !== undefined && !/^[\x20-\x7e]+$/.test(challenge)) {
    throw new TypeError("Expected `challenge` to be a header value in ASCII");
  }
}
