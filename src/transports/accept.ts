/** Which answers a client takes. */
export interface Accepted {
  readonly json: boolean;
  /** Only who names it gets a stream: wildcards come from clients that know nothing of streams. */
  readonly stream: boolean;
}

const [anything, onlyJson, onlyStream, nothing] = [
  { json: true, stream: true },
  { json: true, stream: false },
  { json: false, stream: true },
  { json: false, stream: false },
] as const;

/** One of the four that there are: a request that waits holds none of its own. */
export function accepting(json: boolean, stream: boolean): Accepted {
  if (json) return stream ? anything : onlyJson;
  return stream ? onlyStream : nothing;
}

/** What was read last: the requests of a client all say the same. */
let latest = { header: "*/*", accepted: accepting(true, false) };

/** Reads an `Accept` header; without one, JSON is fine. RFC 9110, section 12.5.1. */
export function readAccept(header = "*/*"): Accepted {
  if (header !== latest.header) latest = { header, accepted: read(header) };
  return latest.accepted;
}

function read(header: string): Accepted {
  const weights = new Map(header.split(",").map(readRange));
  const weigh = (...ranges: readonly string[]): number =>
    ranges.map((range) => weights.get(range)).find((weight) => weight !== undefined) ?? 0;
  return accepting(weigh("application/json", "application/*", "*/*") > 0, weigh("text/event-stream", "text/*") > 0);
}

function readRange(text: string): readonly [range: string, weight: number] {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [range, weight === undefined ? 1 : Number(weight.slice(2))];
}
