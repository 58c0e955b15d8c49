import { Observable } from "rxjs";

/** What the process is told of while `run` runs and two turns of the timers after it. */
export async function strayErrors(run: () => unknown): Promise<unknown[]> {
  const stray: unknown[] = [];
  const listen = (error: unknown) => stray.push(error);
  const replaced = new Map(
    (["uncaughtException", "unhandledRejection"] as const).map((name) => [name, process.rawListeners(name)]),
  );
  for (const name of replaced.keys()) {
    process.removeAllListeners(name);
    process.on(name, listen);
  }
  try {
    await run();
    // RxJS throws what a subscriber threw from a timer of 0 ms; rejections surface before timers.
    await nextTimers();
    await nextTimers();
  } finally {
    for (const [name, listeners] of replaced) {
      process.off(name, listen);
      for (const listener of listeners) process.on(name, listener as () => void);
    }
  }
  return stray;
}

function nextTimers(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}

/** A plain Observable with a throwing subscriber and a rejecting promise: both reach the process. */
export function goAstray(): void {
  new Observable<number>((subscriber) => subscriber.next(1)).subscribe(() => {
    throw new Error("astray");
  });
  Promise.reject(new Error("unheard"));
}
