/** Runs `run` once after `ms`, without holding the process; returns what stops it. */
export function after(ms: number, run: () => void): () => void {
  const timer: unknown = setTimeout(run, ms);
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
  return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
}
