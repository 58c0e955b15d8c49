import { onTestFinished } from "vitest";
import { listenHandler } from "./peers.ts";

export interface Message {
  readonly id?: number;
  readonly params?: { readonly progressToken?: unknown; readonly progress?: number };
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly requestState?: string;
    readonly inputRequests?: object;
    readonly structuredContent?: unknown;
    readonly _meta?: object;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {}, url: {} } },
};

/** Posts to the SDK's HTTP entry without any client, and gives every message of the answer. */
export async function rawPeer(options?: { readonly hook?: boolean }) {
  const { url, close } = await listenHandler(options);
  onTestFinished(() => void close());
  return poster((init) => fetch(url, init));
}

/** The same to whatever takes a request. */
export function poster(send: (init: RequestInit) => Promise<Response>) {
  return async (method: string, name: string, params: object, token?: unknown): Promise<readonly Message[]> => {
    const _meta = { ...meta, ...(token !== undefined && { progressToken: token }) };
    const target = method === "resources/read" ? { uri: name } : { name };
    const response = await send({
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": name,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...target, ...params, _meta } }),
    });
    const body = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const texts = isJson ? [body] : [...body.matchAll(/^data: ?(.+)$/gm)].map(([, data = ""]) => data);
    return texts.map((text): Message => JSON.parse(text));
  };
}
