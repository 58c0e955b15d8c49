/** No library: frames made beforehand, written one by one, waiting whenever the stream says so. */
import { servePlain } from "./plain.js";

servePlain(process.argv[2] ?? "", (output) => ({
  say: (frame) => (output.write([frame]) ? undefined : output.drained()),
  flush: () => undefined,
}));
