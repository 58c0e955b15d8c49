import { Client } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** The transports of the official clients differ in types only. */
export type AnyTransport = object;

/** What an official client is asked to do here, of whatever version. */
export interface Official {
  connect(transport: AnyTransport): Promise<void>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
  close(): Promise<void>;
  /** What it was asked, in order. */
  readonly asked: readonly unknown[];
}

export interface Update {
  readonly progress: number;
  readonly total?: number | undefined;
}

interface CallOptions {
  readonly onprogress?: (update: Update) => void;
  readonly signal?: AbortSignal;
}

const info = { name: "official", version: "1.0.0" };
const capabilities = { elicitation: {} };
const answer = { action: "accept" as const, content: { colour: "red" } };

export type Mode = "auto" | "legacy" | { readonly pin: string };

/** The client of SDK 2.x; by default it speaks the legacy era. */
export function secondClient(mode?: Mode): Official {
  const client = new Client(info, { capabilities, ...(mode !== undefined && { versionNegotiation: { mode } }) });
  const asked: unknown[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.message);
    return answer;
  });
  return {
    asked,
    connect: (transport) => client.connect(transport as Parameters<Client["connect"]>[0]),
    call: async (name, args, options) => (await client.callTool({ name, arguments: args }, options)).content,
    close: () => client.close(),
  };
}

/** The client of SDK 1.x. */
export function firstClient(): Official {
  const client = new FirstClient(info, { capabilities });
  const asked: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message);
    return answer;
  });
  return {
    asked,
    connect: (transport) => client.connect(transport as Parameters<FirstClient["connect"]>[0]),
    call: async (name, args, options) => (await client.callTool({ name, arguments: args }, undefined, options)).content,
    close: () => client.close(),
  };
}
