import { filter, firstValueFrom, type Observable, ReplaySubject, take, toArray } from "rxjs";

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
    "io.modelcontextprotocol/clientCapabilities": {},
    ...(progressToken !== undefined && { progressToken }),
  };
}

export function callOf(id: unknown, name: string, args: object = {}, progressToken?: unknown): object {
  const params = { _meta: metaOf(progressToken), name, arguments: args };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

/** A raw client that remembers what it got. */
export class Peer {
  readonly received: Message[] = [];
  readonly #messages = new ReplaySubject<Message>();
  readonly #client: RawClient;

  constructor(client: RawClient) {
    this.#client = client;
    client.messages.subscribe((text) => {
      const message = JSON.parse(text) as Message;
      this.received.push(message);
      this.#messages.next(message);
    });
  }

  send(message: object | string): void {
    this.#client.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  call(id: unknown, name: string, args: object = {}, progressToken?: unknown): void {
    this.send(callOf(id, name, args, progressToken));
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

export function textOf(message: Message): string | undefined {
  return message.result?.content?.[0]?.text;
}
