import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { filter, firstValueFrom, ReplaySubject, scan } from "rxjs";
import { onTestFinished } from "vitest";
import { Peer, type RawClient } from "./peer.ts";

export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** A server in a process of its own, with its end of the pipes. */
export interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly peer: Peer;
  /** Every line of its stdout, as it came. */
  readonly lines: readonly string[];
  /** Resolves when its stderr has said this. */
  said(text: string): Promise<string>;
  /** Its exit code and signal, once all that it wrote has been read. */
  readonly closed: Promise<[code: number | null, signal: string | null]>;
}

export function startChild(name: string, nodeOptions: readonly string[] = []): Child {
  const child = spawn(process.execPath, [...nodeOptions, fixture(name)], { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => undefined);
  const lines: string[] = [];
  const messages = new ReplaySubject<string>();
  readLines(child.stdout, (line) => {
    lines.push(line);
    if (line.startsWith("{")) messages.next(line);
  });
  const errors = new ReplaySubject<string>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.next(text));
  const client: RawClient = {
    messages,
    send: (text) => child.stdin.write(`${text}\n`),
    close: () => child.stdin.end(),
    pause: () => child.stdout.pause(),
    resume: () => child.stdout.resume(),
  };
  return {
    process: child,
    peer: new Peer(client),
    lines,
    said: (text) =>
      firstValueFrom(
        errors.pipe(
          scan((all, more) => all + more, ""),
          filter((all) => all.includes(text)),
        ),
      ),
    closed: once(child, "close") as Promise<[number | null, string | null]>,
  };
}

/** Splits a stream of text at LF. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let parts: string[] = [];
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...more] = chunk.split("\n");
    parts.push(first);
    for (const line of more) {
      onLine(parts.join(""));
      parts = [line];
    }
  });
}
