/** A stdio client on the bare pipes of the target's process. */
import { splitLines } from "./lines.js";
import { Reader } from "./reader.js";
import { toolCall } from "./request.js";

/** @type {import("./call.js").Call} */
export function callStdio(server, name, args, { reading = true, listening = true } = {}) {
  const { stdin, stdout } = server.process;
  if (stdin === null || stdout === null) throw new Error("Expected the target to have pipes");
  const reader = new Reader();
  const lines = splitLines((text, start, end) => reader.message(text, start, end));
  const read = () => {
    stdout.setEncoding("latin1");
    stdout.on("data", lines);
    stdout.on("end", onEnd);
    stdout.resume();
  };
  const onEnd = () => reader.fail("The target closed its output");
  // A stream without a reader still flows, and what comes is lost.
  const close = () => stdout.pause().off("data", lines).off("end", onEnd);
  reader.done.then(close, close);
  stdin.write(`${toolCall(name, args, { listening })}\n`);
  if (reading) read();
  return { reader, read, close };
}
