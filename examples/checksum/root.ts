import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { ToolError } from "mcp-headway";

/** Turns a path from a client into one on this machine, or refuses it: nothing outside of the root is touched. */
export async function resolveInside(root: string, path: string): Promise<string> {
  const top = await realpath(root);
  const target = resolve(top, path);
  if (isInside(top, target)) {
    // A link on the way may lead out, so the answer of the file system is checked as well.
    const real = await realpath(target).catch(() => undefined);
    if (real !== undefined && isInside(top, real)) return real;
  }
  throw new ToolError(`Expected \`path\` to be a directory inside the root, got ${JSON.stringify(path)}`);
}

function isInside(top: string, path: string): boolean {
  const way = relative(top, path);
  return way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}
