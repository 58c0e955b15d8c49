interface Ticking {
  /** The tick in which it was asked for has ended. */
  tick(): void;
}

let due: Ticking[] = [];
/** What follows a settled promise costs less than Node's `queueMicrotask`, which keeps track of who asked. */
const settled = Promise.resolve();

/** Tells all that ask within a tick when it has ended, in their order, without a function for each. */
export function atTickEnd(ticking: Ticking): void {
  due.push(ticking);
  if (due.length === 1) void settled.then(endTick);
}

function endTick(): void {
  const ticking = due;
  due = [];
  for (const each of ticking) {
    try {
      each.tick();
    } catch (cause) {
      // What one throws is its own fault, and keeps nobody else waiting.
      queueMicrotask(() => {
        throw cause;
      });
    }
  }
}
