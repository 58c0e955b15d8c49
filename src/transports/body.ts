import type { IncomingMessage } from "node:http";
import { type Decoded, decodeText, decodeValue, PARSE_ERROR } from "../wire/index.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** A request whose body a framework may have read and parsed. */
export type ParsedRequest = IncomingMessage & { readonly body?: unknown };

export type Body =
  | { readonly type: "message"; readonly message: Decoded }
  | { readonly type: "refused"; readonly refusal: Refusal }
  /** The client left before all of it was there. */
  | { readonly type: "gone" };

/** Reads the one message of a POST, from `req.body` when it was parsed already. Never rejects. */
export async function readBody(req: ParsedRequest, maxBytes: number): Promise<Body> {
  const refused = headerRefusal(req, maxBytes);
  if (refused !== undefined) return { type: "refused", refusal: refused };
  const body = isParsed(req) ? req.body : await readBytes(req, maxBytes);
  if (body === gone) return { type: "gone" };
  if (body === tooLarge || sizeOf(body) > maxBytes) return { type: "refused", refusal: oversize(maxBytes) };
  return { type: "message", message: decode(body) };
}

function headerRefusal(req: ParsedRequest, maxBytes: number): Refusal | undefined {
  const { headers } = req;
  if (!isJson(headers["content-type"])) return refusal(415, "Expected a body of type application/json, in UTF-8");
  const encoding = headers["content-encoding"] ?? "identity";
  if (!isParsed(req) && encoding.toLowerCase() !== "identity") {
    return refusal(415, "Expected a body without a content encoding", { "Accept-Encoding": "identity" });
  }
  return Number(headers["content-length"] ?? 0) > maxBytes ? oversize(maxBytes) : undefined;
}

function isJson(contentType = ""): boolean {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return type === "application/json" && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/** Some parsers leave an empty object behind where they have read nothing. */
function isParsed(req: ParsedRequest): boolean {
  const { body } = req;
  if (body === undefined) return false;
  const empty = typeof body === "object" && body !== null && Object.keys(body).length === 0;
  return !empty || req.readableDidRead;
}

function sizeOf(body: unknown): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.length : 0;
}

function decode(body: unknown): Decoded {
  if (typeof body === "string") return decodeText(body);
  if (!(body instanceof Uint8Array)) return decodeValue(body);
  try {
    // Bytes are decoded once they are all there: a character may be cut at a chunk's edge.
    return decodeText(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return { type: "invalid", error: { code: PARSE_ERROR, message: "Parse error: the body is not valid UTF-8" } };
  }
}

const gone = Symbol("gone");
const tooLarge = Symbol("too large");

function readBytes(req: IncomingMessage, maxBytes: number): Promise<Uint8Array | typeof gone | typeof tooLarge> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: Uint8Array | typeof gone | typeof tooLarge): void => {
      req.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      resolve(outcome);
    };
    const onData = (chunk: Buffer | string): void => {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      size += bytes.length;
      chunks.push(bytes);
      if (size <= maxBytes) return;
      settle(tooLarge);
      // The rest is let through unread, so that the client gets to read the answer.
      req.resume();
    };
    const onEnd = (): void => settle(Buffer.concat(chunks, size));
    const onClose = (): void => settle(gone);
    // Somebody has read it and kept it: there is no `end` to wait for.
    if (req.readableEnded) return onEnd();
    if (req.destroyed) return onClose();
    req.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  });
}

function oversize(maxBytes: number): Refusal {
  return refusal(413, `Expected a body of at most ${maxBytes} bytes`);
}
