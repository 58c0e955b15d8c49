/** A stdio client on the bare pipes of the target's process. */
import { splitLines } from "./lines.js";

/** @type {import("./link.js").OpenLink} */
export function openPipes(server, onMessage, onEnd) {
  const { stdin, stdout } = server.process;
  if (stdin === null || stdout === null) throw new Error("Expected the target to have pipes");
  const lines = splitLines(onMessage);
  const onClose = () => onEnd("The target closed its output");
  return {
    send: (text) => void stdin.write(`${text}\n`),
    read() {
      stdout.setEncoding("latin1");
      stdout.on("data", lines);
      stdout.on("end", onClose);
      stdout.resume();
    },
    // A stream without a reader still flows, and what comes is lost.
    close: () => void stdout.pause().off("data", lines).off("end", onClose),
  };
}
