/** A progress value, total or weight that is out of its range. Thrown before anything is published. */
export class InvalidProgressError extends RangeError {
  override readonly name = "InvalidProgressError";
  readonly code = "ERR_INVALID_PROGRESS";
}

/**
 * A progress value that does not exceed the emitter's last one.
 * MCP 2026-07-28, basic/patterns/progress: the value MUST increase with each notification.
 */
export class NonIncreasingProgressError extends RangeError {
  override readonly name = "NonIncreasingProgressError";
  readonly code = "ERR_NON_INCREASING_PROGRESS";
  /** The emitter's last accepted value. */
  readonly previous: number;
  /** The value that was refused. */
  readonly value: number;

  constructor(previous: number, value: number) {
    super(`Expected progress to be greater than ${previous}, the last value of this emitter, got ${value}`);
    this.previous = previous;
    this.value = value;
  }
}

/** A failure whose message a tool shows to the model, also when `maskErrors` hides all others. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code = "ERR_TOOL";
}

/** Thrown by a handler of any kind, it becomes this JSON-RPC error on the wire instead of a result. */
export class McpError extends Error {
  override readonly name = "McpError";
  /** JSON-RPC error code, an integer. */
  readonly code: number;
  /** The error's `data` member, any JSON value. */
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/** `signal.reason` after the client cancelled the request, or its subscriber left. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
  readonly code = "ERR_CANCELLED";

  constructor(reason?: string) {
    super(reason === undefined ? "The client cancelled the request" : `The client cancelled the request: ${reason}`);
  }
}

/** `signal.reason` after the connection or the response stream of the request was lost or closed. */
export class Disconnected extends Error {
  override readonly name = "Disconnected";
  readonly code = "ERR_DISCONNECTED";

  constructor(message = "The client disconnected") {
    super(message);
  }
}

/** `signal.reason` after a request took longer than it may. */
export class Deadline extends Error {
  override readonly name = "Deadline";
  readonly code = "ERR_DEADLINE";
  /** The limit that was passed, in milliseconds. */
  readonly timeoutMs: number;

  constructor(timeoutMs: number, message = `The request did not finish within ${timeoutMs} ms`) {
    super(message);
    this.timeoutMs = timeoutMs;
  }
}

/** `signal.reason` after a round ended with a question open. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
  readonly code = "ERR_UNANSWERED";

  constructor() {
    super("The round ended with a question open; the handler runs again with the answer");
  }
}

/** A call that asked, or was put off, in every round that the client lets it take. */
export class TooManyRounds extends Error {
  override readonly name = "TooManyRounds";
  readonly code = "ERR_TOO_MANY_ROUNDS";
  readonly maxRounds: number;

  /** `asked` is what the server said when it asked last. */
  constructor(maxRounds: number, asked?: string) {
    const last = asked === undefined ? "" : `; the last one asked: ${shorten(asked, 300)}`;
    super(`The call has no result after ${maxRounds} rounds, the client's \`maxRounds\`${last}`);
    this.maxRounds = maxRounds;
  }
}

/** A result that breaks the protocol, so that the client cannot go on. */
export class MalformedResult extends Error {
  override readonly name = "MalformedResult";
  readonly code = "ERR_MALFORMED_RESULT";
}

/** A question that the client has not declared to support, or that does not reach it. On the wire it is the JSON-RPC error −32021 of the modern era. */
export class MissingCapabilityError extends Error {
  override readonly name = "MissingCapabilityError";
  readonly code = "ERR_MISSING_CAPABILITY";
  /** What the client would have to declare, as in `data.requiredCapabilities`. */
  readonly requiredCapabilities: object;

  constructor(requiredCapabilities: object, reason?: string) {
    super(reason ?? `The client does not support what this needs: ${JSON.stringify(requiredCapabilities)}`);
    this.requiredCapabilities = requiredCapabilities;
  }
}

/** A question that the client's protocol revision does not know, and so cannot be asked. */
export class UnsupportedRevisionError extends Error {
  override readonly name = "UnsupportedRevisionError";
  readonly code = "ERR_UNSUPPORTED_REVISION";
  /** The revision that the client speaks. */
  readonly protocolVersion: string;

  constructor(protocolVersion: string, unknown: string) {
    super(`The client speaks MCP ${protocolVersion}, which has no ${unknown}`);
    this.protocolVersion = protocolVersion;
  }
}

/** Takes what `read` yields from a thrown value; `undefined` when that throws in turn, as proxies and getters may. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

type Class<T> = abstract new (...args: never) => T;

/** True for an instance of one of these classes. Never throws, whatever was thrown. */
export function isInstance<T>(thrown: unknown, ...classes: readonly Class<T>[]): thrown is T {
  return attempt(() => classes.some((known) => thrown instanceof known)) === true;
}

/** The message of an error from any realm, or the thrown text itself; `undefined` when there is none. Never throws. */
export function messageOf(thrown: unknown): string | undefined {
  const message = attempt(() =>
    typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : thrown,
  );
  return typeof message === "string" && message !== "" ? message : undefined;
}

/** What was thrown in words, for a developer. Never throws. */
export function describeThrown(thrown: unknown): string {
  return messageOf(thrown) ?? attempt(() => String(thrown)) ?? "something that cannot be read";
}

/** What was given in words, for a developer who gave something else than was expected. */
export function describeGiven(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(shorten(value, 100));
    case "bigint":
      return `${value}n`;
    case "function":
      return "a function";
    case "object":
      if (value !== null) return Array.isArray(value) ? "an array" : "an object";
  }
  return String(value);
}

/** What others sent may be long: at most `maxLength` characters of it, and a sign that there was more. */
export function shorten(text: string, maxLength = 1_024): string {
  // Half of a character is none.
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
