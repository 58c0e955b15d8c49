import { filter, firstValueFrom, type Observable, ReplaySubject, skip, take, toArray } from "rxjs";

/** The client's end of a carrier, as raw as it gets: text both ways. */
export interface RawClient {
  /** Every message of the server, in order of arrival. */
  readonly messages: Observable<string>;
  send(text: string): void;
  /** Leaves without a word of the protocol. */
  close(): void;
  /** Cancels a request where that is no message; by default `notifications/cancelled` is sent. */
  cancel?(id: string | number): void;
  /** Stops and resumes taking bytes; absent when there is nothing to stop. */
  pause?(): void;
  resume?(): void;
}

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly requestId?: string | number;
    readonly progressToken?: string | number;
    readonly progress?: number;
    readonly total?: number;
    readonly message?: string;
  };
  readonly result?: {
    readonly content?: readonly { readonly type: string; readonly text: string }[];
    readonly isError?: boolean;
    readonly [key: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** `_meta` of a modern request. */
export function metaOf(progressToken?: unknown, version = "2026-07-28"): Record<string, unknown> {
  return {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "peer", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    ...(progressToken !== undefined && { progressToken }),
  };
}

export function callOf(id: unknown, name: string, args: object = {}, progressToken?: unknown): object {
  const params = { _meta: metaOf(progressToken), name, arguments: args };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

export type Era = "modern" | "legacy";

/** A call without an envelope, as a client sends it after its handshake. */
export function legacyCallOf(id: unknown, name: string, args: object = {}, progressToken?: unknown): object {
  const _meta = progressToken === undefined ? {} : { _meta: { progressToken } };
  return { jsonrpc: "2.0", id, method: "tools/call", params: { ..._meta, name, arguments: args } };
}

export const initialize = (protocolVersion = "2025-11-25", capabilities: object = { elicitation: {} }): object => ({
  jsonrpc: "2.0",
  id: "handshake",
  method: "initialize",
  params: { protocolVersion, capabilities, clientInfo: { name: "peer", version: "1.0.0" } },
});

/** A raw client that remembers what it got. */
export class Peer {
  readonly era: Era;
  readonly received: Message[] = [];
  readonly #messages = new ReplaySubject<Message>();
  readonly #client: RawClient;

  constructor(client: RawClient, era: Era = "modern") {
    this.era = era;
    this.#client = client;
    client.messages.subscribe((text) => {
      const message = JSON.parse(text) as Message;
      this.received.push(message);
      this.#messages.next(message);
    });
  }

  /** Shakes hands, of which nothing is remembered then. */
  async handshake(protocolVersion?: string, capabilities?: object): Promise<Message> {
    this.send(initialize(protocolVersion, capabilities));
    const answer = await this.answer("handshake");
    this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    this.received.length = 0;
    return answer;
  }

  send(message: object | string): void {
    this.#client.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  call(id: unknown, name: string, args: object = {}, progressToken?: unknown): void {
    this.send((this.era === "modern" ? callOf : legacyCallOf)(id, name, args, progressToken));
  }

  cancel(id: string | number): void {
    if (this.#client.cancel) return this.#client.cancel(id);
    this.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
  }

  close(): void {
    this.#client.close();
  }

  pause(): void {
    this.#client.pause?.();
  }

  resume(): void {
    this.#client.resume?.();
  }

  /** The first message that is one, whether it came already or not. */
  first(isOne: (message: Message) => boolean): Promise<Message> {
    return firstValueFrom(this.#messages.pipe(filter(isOne)));
  }

  /** The response to a request. */
  answer(id: string | number): Promise<Message> {
    return this.first((message) => message.id === id && message.method === undefined);
  }

  /** The first responses with this id, in order of arrival. */
  answers(id: string | number, count: number): Promise<Message[]> {
    return firstValueFrom(
      this.#messages.pipe(
        filter((message) => message.id === id && message.method === undefined),
        take(count),
        toArray(),
      ),
    );
  }

  /** The first error without an id. */
  complaint(): Promise<Message> {
    return this.first((message) => message.id === undefined && message.error !== undefined);
  }

  /** The question of this number, counted from 0. */
  question(index = 0): Promise<Message & { readonly id: string }> {
    return firstValueFrom(
      this.#messages.pipe(
        filter((message): message is Message & { readonly id: string } => isQuestion(message)),
        skip(index),
      ),
    );
  }

  /** Answers a question of the legacy era. */
  respond(id: string | number, outcome: object): void {
    this.send({ jsonrpc: "2.0", id, ...outcome });
  }

  /** Calls a tool, answers all that it asks in the way of the era, and returns what became of it. */
  async converse(id: number, name: string, token: string | number, answer: object): Promise<Conversation> {
    this.call(id, name, {}, token);
    const isModern = this.era === "modern";
    const asked = isModern ? (await this.answer(id)).result?.inputRequests : await this.question();
    const [key, question] = isModern ? (Object.entries(asked ?? {})[0] ?? []) : ["", asked];
    const last = isModern ? id + 1_000 : id;
    if (isModern) {
      const { requestState } = (await this.answer(id)).result ?? {};
      const params = {
        _meta: metaOf(token),
        name,
        arguments: {},
        requestState,
        inputResponses: { [`${key}`]: answer },
      };
      this.send({ jsonrpc: "2.0", id: last, method: "tools/call", params });
    } else this.respond((question as Message).id ?? "", { result: answer });
    const { params } = question as { params: { message: string; requestedSchema: object } };
    const text = textOf(await this.answer(last));
    return { updates: this.updates(token), asked: [params.message, params.requestedSchema], text };
  }

  /** The first update of a token. */
  update(progressToken: string | number): Promise<Message> {
    return this.first(({ params }) => params?.progressToken === progressToken);
  }

  /** The updates of a token so far. */
  updates(progressToken: string | number): readonly (Message["params"] & {})[] {
    return this.received.flatMap(({ params }) => (params?.progressToken === progressToken ? [params] : []));
  }

  /** The values of a token so far. */
  values(progressToken: string | number): readonly (number | undefined)[] {
    return this.updates(progressToken).map(({ progress }) => progress);
  }

  /** All that belongs to one request so far. */
  exchange(id: string | number, progressToken?: string | number): readonly Message[] {
    return this.received.filter(
      (message) =>
        message.id === id || (progressToken !== undefined && message.params?.progressToken === progressToken),
    );
  }
}

/** What a client sees of a call that asks. */
export interface Conversation {
  readonly updates: readonly object[];
  readonly asked: readonly unknown[];
  readonly text: string | undefined;
}

function isQuestion({ id, method }: Message): boolean {
  return id !== undefined && method !== undefined;
}

export function textOf(message: Message): string | undefined {
  return message.result?.content?.[0]?.text;
}
