/** How long a turn of the event loop may last before who asks for room waits for the next one, in milliseconds. */
const maxTurnMs = 10;
const ready = Promise.resolve();

// A later fake of these must not keep a handler waiting.
const { performance, setTimeout: later, setImmediate: next = (run: () => void) => later(run, 0) } = globalThis;
const now = performance.now.bind(performance);

let began: number | undefined;
let turned = ready;

/**
 * Resolves at once, unless this turn of the event loop has lasted for long: then in the next one, once what
 * has come in was read. A loop that awaits nothing else would otherwise never hear of its own cancellation.
 */
export function turn(): Promise<void> {
  if (began !== undefined) return now() - began > maxTurnMs ? turned : ready;
  began = now();
  turned = new Promise((resolve) => {
    next(() => {
      began = undefined;
      resolve();
    });
  });
  return ready;
}
