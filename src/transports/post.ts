import type { IncomingMessage, ServerResponse } from "node:http";
import type { Subscription } from "rxjs";
import { Disconnected } from "../errors.ts";
import type { Servable } from "../events/index.ts";
import type { Decoded, Envelope } from "../wire/index.ts";
import { type Accepted, readAccept } from "./accept.ts";
import { admit, exchangeOf } from "./admit.ts";
import { type ParsedRequest, readBody } from "./body.ts";
import { mirrorFault } from "./mirror.ts";
import { closing, type Refusal, refusal, refuse } from "./refusal.ts";
import { Reply } from "./reply.ts";

export interface PostOptions {
  readonly maxBodyBytes: number;
  readonly keepAliveMs: number;
  readonly writeTimeoutMs: number;
  /** Whether a stream may be the answer. */
  readonly streams: boolean;
  /** Aborted when the listener begins to close. */
  readonly closing: AbortSignal;
}

type Request = Extract<Decoded, { type: "request" }>;

/** One POST: one message in, its answer out. Closing its response is how a client cancels. */
export class Post {
  readonly #server: Servable;
  readonly #options: PostOptions;
  readonly #req: ParsedRequest;
  readonly #res: ServerResponse;
  readonly #onClosed: () => void;
  /** Node tells a response that waits behind another one nothing of their connection's end. */
  readonly #queuedOn: IncomingMessage["socket"] | undefined;
  #subscription: Subscription | undefined;
  #reply: Reply | undefined;
  #left: Error | undefined;
  #closed = false;

  constructor(
    server: Servable,
    options: PostOptions,
    { req, res, onClosed }: { req: ParsedRequest; res: ServerResponse; onClosed: () => void },
  ) {
    this.#server = server;
    this.#options = options;
    this.#req = req;
    this.#res = res;
    this.#onClosed = onClosed;
    res.once("close", this.#close);
    this.#queuedOn = res.socket === null ? req.socket : undefined;
    this.#queuedOn?.once("close", this.#close);
  }

  /** Reads the message and answers it. Never rejects. */
  async answer(): Promise<void> {
    try {
      const accepted = this.#accepted();
      if (!accepted.json && !accepted.stream) return this.#refuse(unacceptable);
      const body = await readBody(this.#req, this.#options.maxBodyBytes);
      if (this.#left !== undefined || body.type === "gone") return;
      if (body.type === "refused") return this.#refuse(body.refusal);
      this.#receive(body.message, accepted);
    } catch (cause) {
      const message = "A request could not be carried; its connection was cut";
      this.#server.diagnostics.report({ type: "connection-failed", message, cause });
      this.#res.destroy();
    }
  }

  /** Ends what the client still waits for. */
  abort(reason: Error): void {
    if (this.#left !== undefined) return;
    this.#left = reason;
    this.#subscription?.unsubscribe();
    if (this.#reply === undefined) this.#refuse(closing);
    else this.#reply.fail(closing);
  }

  #accepted(): Accepted {
    const { json, stream } = readAccept(this.#req.headers.accept);
    return { json, stream: stream && this.#options.streams };
  }

  #receive(message: Decoded, accepted: Accepted): void {
    switch (message.type) {
      case "request":
        return this.#request(message, accepted);
      case "notification":
        // None has a meaning here: who closes a response has cancelled.
        this.#res.writeHead(202).end();
        return;
      case "response":
        return this.#refuse(refusal(400, "Expected a request or a notification, got a response"));
      case "invalid":
        return this.#refuse({ status: 400, error: message.error, id: message.id });
    }
  }

  #request(request: Request, accepted: Accepted): void {
    const { id } = request;
    if (this.#options.closing.aborted) return this.#refuse({ ...closing, id });
    const admission = admit(request, (envelope) => mirrorFault(request, envelope, this.#req.rawHeaders));
    if (admission.type === "refused") return this.#refuse({ status: 400, error: admission.error, id });
    this.#dispatch(request, admission.envelope, accepted);
  }

  #dispatch({ id, method, params }: Request, envelope: Envelope, accepted: Accepted): void {
    const { progressToken } = envelope;
    const { keepAliveMs, writeTimeoutMs } = this.#options;
    const message = "The result could not be serialized; the client got an error";
    const onUnserializable = (cause: unknown): void =>
      this.#server.diagnostics.report({ type: "unserializable", message, method, cause });
    const reply = new Reply(this.#res, {
      accepted,
      keepAliveMs,
      writeTimeoutMs,
      printing: { id, progressToken, onUnserializable },
      onStalled: () => this.#stalled(),
    });
    this.#reply = reply;
    const subscription = this.#server
      .dispatch(
        { id, method, params, progressToken, closing: this.#options.closing, whyLeft: () => this.#left },
        {
          ...exchangeOf(envelope),
          principal: undefined,
          header: (name) => headerOf(this.#req, name),
          deliversProgress: accepted.stream,
          drained: () => reply.drained(),
        },
      )
      .subscribe((event) => reply.next(event));
    if (this.#left === undefined) this.#subscription = subscription;
    else subscription.unsubscribe();
  }

  #refuse(refused: Refusal): void {
    refuse(this.#res, refused);
  }

  #stalled(): void {
    const message = "A client took nothing for too long; it was dropped";
    this.#server.diagnostics.report({ type: "slow-client", message });
    this.#left ??= new Disconnected("The client took nothing for too long");
    this.#subscription?.unsubscribe();
    this.#res.destroy();
  }

  readonly #close = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    this.#left ??= new Disconnected();
    this.#res.off("close", this.#close);
    this.#queuedOn?.off("close", this.#close);
    this.#reply?.close();
    this.#subscription?.unsubscribe();
    this.#onClosed();
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === "string" ? value : value?.join(", ");
}

const unacceptable = refusal(406, `Expected a client that accepts application/json or text/event-stream`);
