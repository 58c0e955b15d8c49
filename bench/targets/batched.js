/** The limit: as raw, but what is ready leaves in one write of up to 16 KiB. */
import { servePlain } from "./plain.js";

const batchSize = 16_384;

servePlain(process.argv[2] ?? "", (output) => {
  /** @type {string[]} */
  let batch = [];
  let size = 0;
  /** @type {Promise<unknown> | undefined} */
  let room;
  /** @type {NodeJS.Immediate | undefined} */
  let scheduled;
  const flush = () => {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (batch.length === 0) return room;
    const full = !output.write(batch);
    batch = [];
    size = 0;
    if (full) {
      room = output.drained().then(() => {
        room = undefined;
      });
    }
    return room;
  };
  return {
    say(frame) {
      batch.push(frame);
      size += frame.length;
      if (size >= batchSize) return flush();
      scheduled ??= setImmediate(flush);
      return room;
    },
    flush,
  };
});
