import type { Framing } from "../wire/index.ts";

/**
 * One message per event, in one `data` line. JSON text holds no line break, so a frame cannot be forged.
 * WHATWG HTML, server-sent events.
 */
export const sse: Framing = { before: "data: ", after: "\n\n" };

/** Keeps a quiet stream alive; a client ignores it. */
export const sseComment = ":\n\n";
