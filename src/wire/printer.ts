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
  /** Told of what had no JSON form and what was thrown about it. */
  readonly onUnserializable?: (cause: unknown) => void;
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
  const { id, progressToken, framing = bare, onUnserializable } = options;
  return {
    progress: progressToken === undefined ? () => "" : progressPrinter(progressToken, framing),
    event(event) {
      try {
        return printEvent(id, event, framing);
      } catch (cause) {
        onUnserializable?.(cause);
        if (event.type === "notification") return "";
        return printError(id, { code: INTERNAL_ERROR, message: "The result cannot be serialized" }, framing);
      }
    },
  };
}

/** All that a request's progress frames have in common is made once: this is the hot path of every carrier. */
function progressPrinter(token: ProgressToken, { before, after }: Framing): EventPrinter["progress"] {
  const method = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":';
  // Joined, it is one text; added up, it would stay a tree of texts that every frame is made of.
  const head = [before, method, printJson(token), ',"progress":'].join("");
  const tail = `}}${after}`;
  const quoted = `"${tail}`;
  // A total seldom changes: it is printed once, not with every update.
  let printed: number | undefined;
  let ofTotal = "";
  let toMessage = `,"message":"`;
  return ({ progress, total, message }) => {
    if (total !== printed) {
      printed = total;
      ofTotal = total === undefined ? "" : `,"total":${total}`;
      toMessage = `${ofTotal},"message":"`;
    }
    if (message === undefined) return head + progress + ofTotal + tail;
    return head + progress + toMessage + escaped(message) + quoted;
  };
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
