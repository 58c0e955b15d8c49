import { Agent, type IncomingMessage, request } from "node:http";
import { Subject } from "rxjs";
import type { Era, RawClient } from "./peer.ts";

/** One request, as any client may send it. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Uint8Array;
  readonly agent?: Agent;
}

/** What came back, read to its end. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** The headers that a modern client sends with a message. */
export function headersFor(text: string): Record<string, string> {
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  try {
    const { method, params } = JSON.parse(text);
    const name = method === "resources/read" ? params?.uri : params?.name;
    return {
      ...headers,
      "MCP-Protocol-Version": params?._meta?.["io.modelcontextprotocol/protocolVersion"] ?? "2026-07-28",
      ...(typeof method === "string" && { "Mcp-Method": method }),
      ...(typeof name === "string" && { "Mcp-Name": name }),
      // A tool that is not named needs the header nevertheless.
      ...(method === "tools/call" && name === undefined && { "Mcp-Name": "nobody" }),
    };
  } catch {
    return headers;
  }
}

/** Sends a request and resolves when the head of the answer is there. */
export function begin(
  url: string,
  { method = "POST", headers = {}, body, agent }: Sent = {},
): Promise<IncomingMessage> {
  const own = headersFor(typeof body === "string" ? body : "");
  for (const [name, value] of Object.entries(headers)) {
    for (const key of Object.keys(own)) if (key.toLowerCase() === name.toLowerCase()) delete own[key];
    if (value !== undefined) Object.assign(own, { [name]: value });
  }
  return new Promise((resolve, reject) => {
    const req = request(url, { method, headers: own, ...(agent && { agent }) }, resolve);
    req.once("error", reject);
    // Node frames no body of a GET, which the next request would begin with.
    req.end(method === "POST" ? body : undefined);
  });
}

export async function send(url: string, sent: Sent = {}): Promise<Received> {
  const res = await begin(url, sent);
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk);
  return { status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() };
}

/** Reads messages off a response, whether it is JSON or a stream. */
export function readMessages(res: IncomingMessage, onMessage: (text: string) => void): void {
  if (!res.headers["content-type"]?.startsWith("text/event-stream")) {
    let body = "";
    res.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    res.on("end", () => body !== "" && onMessage(body));
    return;
  }
  let rest = "";
  res.setEncoding("utf8").on("data", (text: string) => {
    const events = (rest + text).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) if (event.startsWith("data: ")) onMessage(event.slice("data: ".length));
  });
}

/** A client that sends every message as a POST of its own; in the legacy era, within its session. */
export function connectHttp(url: string, era: Era = "modern"): RawClient {
  let session: string | undefined;
  const headersOf = (text: string): Record<string, string> =>
    era === "modern"
      ? headersFor(text)
      : { ...plainHeaders, ...(session !== undefined && { "Mcp-Session-Id": session }) };
  const agent = new Agent({ keepAlive: true });
  const messages = new Subject<string>();
  const open = new Map<unknown, () => void>();
  const responses = new Set<IncomingMessage>();
  let paused = false;
  return {
    messages,
    send(text) {
      const req = request(url, { method: "POST", headers: headersOf(text), agent }, (res) => {
        session ??= sessionOf(res);
        responses.add(res);
        res.on("error", () => undefined).once("close", () => responses.delete(res));
        readMessages(res, (message) => messages.next(message));
        if (paused) res.pause();
      });
      req.on("error", () => undefined).end(text);
      open.set(idOf(text), () => req.destroy());
    },
    ...(era === "modern" && { cancel: (id: string | number) => open.get(id)?.() }),
    close: () => {
      for (const destroy of open.values()) destroy();
      agent.destroy();
    },
    pause: () => {
      paused = true;
      for (const res of responses) res.pause();
    },
    resume: () => {
      paused = false;
      for (const res of responses) res.resume();
    },
  };
}

/** What a client sends with every message, of whatever era. */
export const plainHeaders = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

/** The session that a handshake has begun. */
export function sessionOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const id = headers["mcp-session-id"];
  return typeof id === "string" ? id : undefined;
}

function idOf(text: string): unknown {
  try {
    return JSON.parse(text).id;
  } catch {
    return undefined;
  }
}
