import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { ToolError } from "mcp-headway";

/** Turns a path from a client into a directory on this machine, or refuses it when it is not below `root`. */
export async function resolveInside(root: string, path: string): Promise<string> {
  const top = await realpath(root);
  // The file system is asked where the path leads, because a link on the way may lead out.
  const target = await realpath(resolve(top, path)).catch(() => undefined);
  if (target === undefined || !isInside(top, target) || !(await lstat(target)).isDirectory()) {
    // The same words for what lies outside and what does not exist: a client learns nothing of either.
    throw new ToolError(`Expected \`path\` to be a directory inside the root, got ${JSON.stringify(path)}`);
  }
  return target;
}

function isInside(top: string, path: string): boolean {
  const way = relative(top, path);
  return way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}
