import type { IncomingMessage } from "node:http";
import { type Decoded, type ErrorBody, hasEnvelope, INVALID_PARAMS, INVALID_REQUEST, metaKeys } from "../wire/index.ts";
import { admit } from "./admit.ts";
import { httpVersions, isModernVersion, type LegacyPolicy, type Terms } from "./era.ts";
import { type Entry, enter, type HttpSession } from "./http-session.ts";
import { mirrorFault } from "./mirror.ts";
import { type Refusal, refusal, unavailable } from "./refusal.ts";
import type { Sessions } from "./sessions.ts";

export interface RouteOptions {
  readonly legacy: LegacyPolicy;
  readonly sessions: Sessions;
  readonly principal: unknown;
}

type Request = Extract<Decoded, { type: "request" }>;
type Head = Pick<IncomingMessage, "headers" | "rawHeaders">;

/** Where a message goes. */
export type Route =
  | {
      readonly type: "request";
      readonly request: Request;
      readonly terms: Terms;
      /** Absent in the modern era, which has none. */
      readonly session?: HttpSession;
    }
  /** It has no answer, and has been taken. */
  | { readonly type: "taken" }
  | { readonly type: "refused"; readonly refusal: Refusal };

/**
 * Decides what becomes of a message by its envelope, its headers and the session that they name. An
 * envelope makes it modern, whatever session it names.
 */
export function route(message: Decoded, head: Head, options: RouteOptions): Route {
  switch (message.type) {
    case "request":
      return routeRequest(message, head, options);
    case "notification":
      // None has a meaning in the modern era: who closes a response has cancelled.
      if (hasEnvelope(message.params) || !isLegacy(head, options)) return taken;
      return take(head, options, sessionless, (session) => session.notify(message.method, message.params));
    case "response":
      if (!isLegacy(head, options)) return refused(unasked);
      return take(head, options, unasked, (session) => session.questions.receive(message));
    case "invalid":
      return refused({ status: 400, error: message.error, id: message.id });
  }
}

function take(head: Head, options: RouteOptions, missing: Refusal, run: (session: HttpSession) => void): Route {
  const entry = entryOf(head, options);
  if (entry.type === "missing") return refused(missing);
  if (entry.type === "refused") return refused(entry.refusal);
  run(entry.session);
  return taken;
}

function routeRequest(request: Request, head: Head, options: RouteOptions): Route {
  const { id, method, params } = request;
  const entry = hasEnvelope(params) ? nowhere : entryOf(head, options);
  const admission = admit(request, {
    legacy: options.legacy,
    client: entry.type === "entered" ? entry.client : undefined,
    versions: httpVersions,
    versionHeader: versionOf(head),
    check: (envelope) => mirrorFault(request, envelope, head.rawHeaders),
  });
  switch (admission.type) {
    case "refused":
      return refused({ status: admission.era === "modern" ? 400 : 200, error: admission.error, id });
    case "stranger":
      return refused(entry.type === "refused" ? { ...entry.refusal, id } : { ...sessionless, id });
    case "admitted": {
      const { terms } = admission;
      if (terms.era === "modern") return { type: "request", request, terms };
      if (entry.type === "refused") return refused({ ...entry.refusal, id });
      if (method === "initialize") return introduce(request, terms, options);
      return entry.type === "missing" ? refused(sessionless) : within(entry.session, request, terms);
    }
  }
}

/** Every handshake opens a session of its own. */
function introduce(request: Request, terms: Terms, { sessions, principal }: RouteOptions): Route {
  const session = sessions.open({ protocolVersion: terms.protocolVersion, client: terms.client }, principal);
  if (session !== undefined) return { type: "request", request, terms, session };
  return refused({ ...unavailable("Too many sessions"), id: request.id });
}

/** A session is shared by its requests, and so are their ids. */
function within(session: HttpSession, request: Request, terms: Terms): Route {
  const { id } = request;
  return session.has(id) ? refused({ status: 200, error: idInUse, id }) : { type: "request", request, terms, session };
}

function entryOf(head: Head, { legacy, sessions, principal }: RouteOptions): Entry {
  return legacy === "serve" ? enter(head, (id) => sessions.find(id, principal)) : nowhere;
}

function isLegacy(head: Head, { legacy }: RouteOptions): boolean {
  return legacy === "serve" && !isModernVersion(versionOf(head));
}

function versionOf({ headers }: Head): string | undefined {
  const version = headers["mcp-protocol-version"];
  return typeof version === "string" ? version : undefined;
}

function refused(refusal: Refusal): Route {
  return { type: "refused", refusal };
}

const sessionless: Refusal = {
  status: 400,
  error: {
    code: INVALID_PARAMS,
    message: `Expected \`_meta\` to have \`${metaKeys.protocolVersion}\`, or the Mcp-Session-Id header of a session`,
  },
};
const taken: Route = { type: "taken" };
const nowhere: Entry = { type: "missing" };
const unasked = refusal(400, "Expected a request or a notification, got a response");
const idInUse: ErrorBody = { code: INVALID_REQUEST, message: "A request with this id is in flight in this session" };
