import type {
  ElicitationEvent,
  InputRequiredEvent,
  ProgressEvent,
  ProgressToken,
  RequestEvent,
  RequestId,
} from "../events/index.ts";
import type { ProgressUpdate } from "../progress/index.ts";
import { INTERNAL_ERROR } from "./codes.ts";
import { bare, type Framing, printError, printJson, printNotification, printResult } from "./encode.ts";

export interface PrinterOptions {
  readonly id: RequestId;
  /** `undefined` when the client wants no progress. */
  readonly progressToken: ProgressToken | undefined;
  /** @default bare */
  readonly framing?: Framing;
  readonly owner?: PrinterOwner | undefined;
}

export interface PrinterOwner {
  /** Told that something had no JSON form, and what was thrown about it. */
  unserializable(cause: unknown): void;
}

/** Prints the events of one request. Never throws; an empty text means that there is nothing to send. */
export interface EventPrinter {
  /** Empty without a token. */
  progress(event: ProgressUpdate): string;
  /** A terminal event that has no JSON form becomes one internal error; a notification becomes empty. */
  event(event: Exclude<RequestEvent, ProgressEvent | ElicitationEvent>): string;
}

/** Creates the printer of one request. */
export function createPrinter(options: PrinterOptions): EventPrinter {
  return new Printer(options);
}

/** What surrounds an update in a framing. */
interface Frame {
  readonly framing: Framing;
  readonly head: string;
  readonly tail: string;
  /** The same after a message. */
  readonly tailOfText: string;
}

const frames = new WeakMap<Framing, Frame>();

function frameOf(framing: Framing): Frame {
  const known = frames.get(framing);
  if (known !== undefined) return known;
  const method = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":';
  const tail = `}}${framing.after}`;
  const frame = { framing, head: framing.before + method, tail, tailOfText: `"${tail}` };
  frames.set(framing, frame);
  return frame;
}

/** A total as it is printed. */
interface Total {
  readonly value: number | undefined;
  readonly text: string;
  /** The same before a message. */
  readonly toMessage: string;
}

const noTotal: Total = { value: undefined, text: "", toMessage: ',"message":"' };

/** Requests for the same thing have the same total, so one text of it does for all of them. */
let latestTotal = noTotal;

function totalOf(value: number | undefined): Total {
  if (value === undefined) return noTotal;
  if (value !== latestTotal.value) {
    // Joined, it is one text; added up, it would stay a tree of texts that every frame is made of.
    const text = [',"total":', value].join("");
    latestTotal = { value, text, toMessage: [text, noTotal.toMessage].join("") };
  }
  return latestTotal;
}

/** All that a request's progress frames have in common is made once: this is the hot path of every carrier. */
class Printer implements EventPrinter {
  readonly #id: RequestId;
  readonly #owner: PrinterOwner | undefined;
  readonly #frame: Frame;
  /** What follows the frame's head; absent without a token. */
  readonly #token: string | undefined;
  /** It seldom changes: it is printed once, not with every update. */
  #total = noTotal;

  constructor({ id, progressToken, framing = bare, owner }: PrinterOptions) {
    this.#id = id;
    this.#owner = owner;
    this.#frame = frameOf(framing);
    this.#token = progressToken === undefined ? undefined : [printJson(progressToken), ',"progress":'].join("");
  }

  progress({ progress, total, message }: ProgressUpdate): string {
    if (this.#token === undefined) return "";
    if (total !== this.#total.value) this.#total = totalOf(total);
    const { head, tail, tailOfText } = this.#frame;
    if (message === undefined) return head + this.#token + progress + this.#total.text + tail;
    return head + this.#token + progress + this.#total.toMessage + escaped(message) + tailOfText;
  }

  event(event: Parameters<EventPrinter["event"]>[0]): string {
    try {
      return printEvent(this.#id, event, this.#frame.framing);
    } catch (cause) {
      this.#owner?.unserializable(cause);
      if (event.type === "notification") return "";
      const error = { code: INTERNAL_ERROR, message: "The result cannot be serialized" };
      return printError(this.#id, error, this.#frame.framing);
    }
  }
}

/** A character that `JSON.stringify` may escape, or that a reader may take for the end of a line. */
const special = /[^ !#-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]/;

/** What stands between the quotes. Looking for what must be escaped is cheaper than having it done, and most text needs none. */
function escaped(text: string): string {
  return special.test(text) ? printJson(text).slice(1, -1) : text;
}

function printEvent(
  id: RequestId,
  event: Exclude<RequestEvent, ProgressEvent | ElicitationEvent>,
  framing: Framing,
): string {
  switch (event.type) {
    case "result":
      return printResult(id, event.result, framing);
    case "error":
      return printError(id, event.error, framing);
    case "input-required":
      return printResult(id, inputRequired(event), framing);
    case "notification":
      return printNotification(event.method, event.params, framing);
  }
}

/** A round may end with state alone; then it asks nothing and must not say that it asks. */
function inputRequired({ inputRequests, requestState, _meta }: InputRequiredEvent) {
  const resultType = "input_required";
  if (Object.keys(inputRequests).length === 0) return { resultType, requestState, _meta };
  return { resultType, inputRequests, requestState, _meta };
}
