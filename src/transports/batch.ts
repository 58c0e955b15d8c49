/** A write ends with the frame that reaches this, in characters: all at once, a pile would be there twice, or be more than a text can hold. */
const maxWrite = 262_144;

/** Frames that wait to be written, in order, each with who it belongs to. While none does, it holds no arrays. */
export class Batch<Owner> {
  #frames: string[] | undefined;
  #owners: Owner[] | undefined;
  /** Where the frames begin that were not taken yet. */
  #start = 0;
  #size = 0;

  /** In characters. */
  get size(): number {
    return this.#size;
  }

  get isEmpty(): boolean {
    return this.#frames === undefined;
  }

  add(owner: Owner, frame: string): void {
    this.#frames ??= [];
    this.#owners ??= [];
    this.#frames.push(frame);
    this.#owners.push(owner);
    this.#size += frame.length;
  }

  /** Takes what goes into one write. */
  take(): readonly string[] {
    const frames = this.#frames ?? [];
    if (this.#start === 0 && this.#size <= maxWrite) {
      this.clear();
      return frames;
    }
    const start = this.#start;
    let size = 0;
    while (this.#start < frames.length && size < maxWrite) {
      size += frames[this.#start]?.length ?? 0;
      this.#start += 1;
    }
    this.#size -= size;
    const taken = frames.slice(start, this.#start);
    if (this.#start === frames.length) this.clear();
    return taken;
  }

  /** Drops what an owner has added and was not taken. */
  forget(owner: Owner): void {
    if (!this.#owners?.includes(owner, this.#start)) return;
    const frames = this.#frames?.slice(this.#start) ?? [];
    const owners = this.#owners.slice(this.#start);
    this.clear();
    for (const [index, frame] of frames.entries()) {
      const other = owners[index];
      if (other !== undefined && other !== owner) this.add(other, frame);
    }
  }

  clear(): void {
    this.#frames = undefined;
    this.#owners = undefined;
    this.#start = 0;
    this.#size = 0;
  }
}
