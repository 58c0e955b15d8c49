import type { ByteStream } from "./bytes.ts";

interface Guard {
  readonly real: ByteStream;
  readonly release: () => void;
}

let guard: Guard | undefined;
let holders = 0;

/**
 * Sends what the program prints to stdout, by `console` or `process.stdout.write`, to stderr: on stdio
 * nothing but messages may stand there. `serveStdio` does this while it serves; call it yourself, before
 * a dynamic `import()`, when modules print while they load. Returns what ends it; as long as anybody who
 * called it has not, the guard stands.
 */
export function guardStdout(): () => void {
  guard ??= divert();
  holders += 1;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    holders -= 1;
    if (holders > 0) return;
    guard?.release();
    guard = undefined;
  };
}

/** The stdout that is not diverted. */
export function realStdout(): ByteStream {
  return guard?.real ?? process.stdout;
}

function divert(): Guard {
  const { stdout, stderr } = process;
  const write = stdout.write;
  let released = false;
  const diverted = (...args: readonly unknown[]): boolean =>
    released ? Reflect.apply(write, stdout, args) : Reflect.apply(stderr.write, stderr, args);
  stdout.write = diverted;
  // Nobody may read stderr any more; what was printed for it must not end the program.
  stderr.on("error", ignore);
  return {
    real: {
      get writableLength() {
        return stdout.writableLength;
      },
      write: (piece, encoding, done) => Reflect.apply(write, stdout, [piece, encoding, done]),
    },
    release() {
      released = true;
      stderr.off("error", ignore);
      // Somebody may have wrapped ours since; then theirs stays, and ours passes on.
      if (stdout.write === diverted) stdout.write = write;
    },
  };
}

function ignore(): void {}
