import { createHash } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface TreeFile {
  /** Relative to the top of the tree, with `/` on every platform. */
  readonly path: string;
  readonly bytes: number;
}

export interface ListOptions {
  /** Names of files and directories that are left out wherever they are. */
  readonly exclude: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Called after each directory with how many have been read and how many are known so far. */
  readonly onDirectory: (read: number, known: number, path: string) => void;
}

/** Lists the files of a tree in the order of their paths. Links are not followed, and left out. */
export async function listTree(top: string, { exclude, signal, onDirectory }: ListOptions): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const directories = [""];
  // Grows while it is iterated: what a directory contains is read after it.
  for (const [index, directory] of directories.entries()) {
    const entries = await readdir(join(top, directory), { withFileTypes: true });
    const kept = entries.filter(({ name }) => !exclude.has(name));
    const pathOf = ({ name }: Dirent) => (directory === "" ? name : `${directory}/${name}`);
    directories.push(...kept.filter((entry) => entry.isDirectory()).map(pathOf));
    files.push(
      ...(await Promise.all(kept.filter((entry) => entry.isFile()).map((entry) => measure(top, pathOf(entry))))),
    );
    signal.throwIfAborted();
    onDirectory(index + 1, directories.length, directory);
  }
  return files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

async function measure(top: string, path: string): Promise<TreeFile> {
  const { size } = await lstat(join(top, path));
  return { path, bytes: size };
}

export interface HashOptions {
  /** As `node:crypto` names it. */
  readonly algorithm: string;
  readonly signal: AbortSignal;
  /** Gets the size of each piece. */
  readonly onBytes: (count: number) => void;
}

/** The digest of one file in hex. */
export async function hashFile(path: string, { algorithm, signal, onBytes }: HashOptions): Promise<string> {
  const hash = createHash(algorithm);
  // A file that was replaced by a link since it was listed is not followed either.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  const pieces: AsyncIterable<Buffer> = file.createReadStream({ signal, highWaterMark: 256 * 1024 });
  for await (const piece of pieces) {
    // A piece may have been read already when the call is cancelled.
    signal.throwIfAborted();
    hash.update(piece);
    onBytes(piece.length);
  }
  return hash.digest("hex");
}
