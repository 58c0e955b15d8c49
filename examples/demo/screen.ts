import { stripVTControlCharacters, styleText } from "node:util";
import cliTruncate from "cli-truncate";
import { createLogUpdate } from "log-update";
import { auditTime, combineLatest, finalize, merge, type Observable, tap, throttleTime } from "rxjs";
import type { CallState } from "./call.ts";

/** Shows calls while they run: a line each that is redrawn in a terminal, now and then a new line elsewhere. */
export function show(calls: readonly Observable<CallState>[], out: NodeJS.WriteStream): Observable<unknown> {
  // A terminal that does not know its size has no place for a picture.
  return out.isTTY && out.rows > 0 ? draw(calls, out) : print(calls, out);
}

function draw(calls: readonly Observable<CallState>[], out: NodeJS.WriteStream): Observable<unknown> {
  const update = createLogUpdate(out);
  return combineLatest(calls).pipe(
    auditTime(50),
    tap((states) => update(states.map((state) => drawLine(state, out.columns)).join("\n"))),
    // Leaves the last picture in place and shows the cursor again.
    finalize(() => update.done()),
  );
}

function print(calls: readonly Observable<CallState>[], out: NodeJS.WriteStream): Observable<unknown> {
  const calm = calls.map((call) => call.pipe(throttleTime(1_000, undefined, { leading: true, trailing: true })));
  return merge(...calm).pipe(tap((state) => out.write(`${printLine(state)}\n`)));
}

function drawLine(state: CallState, columns: number): string {
  const width = Math.max(0, Math.min(24, columns - 50));
  const done = Math.round(width * state.fraction);
  const bar = styleText(state.result ? "green" : "cyan", "━".repeat(done)) + styleText("dim", "─".repeat(width - done));
  const start = `${state.carrier.padEnd(9)}  ${bar} ${percent(state)}  `;
  const room = Math.max(1, columns - 19 - width);
  return cliTruncate(start + styleText("dim", cliTruncate(say(state), room, { position: "middle" })), columns);
}

function printLine(state: CallState): string {
  return cliTruncate(`${state.carrier.padEnd(9)} ${percent(state)}  ${say(state)}`, 80);
}

function percent({ fraction }: CallState): string {
  // Rounded down: 100 % is what is done.
  return `${Math.floor(fraction * 100)} %`.padStart(5);
}

function say({ result, message, updates, elapsedMs }: CallState): string {
  if (result) return `${updates} updates in ${(elapsedMs / 1_000).toFixed(1)} s`;
  // A message is another program's text: it gets no say over the terminal.
  return stripVTControlCharacters(message).replace(/\p{Cc}/gu, " ");
}
