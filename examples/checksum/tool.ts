import { createHash } from "node:crypto";
import { join } from "node:path";
import { defineTool, type McpToolContext, type ProgressPhase } from "mcp-headway";
import { z } from "zod";
import { resolveInside } from "./root.ts";
import { hashFile, listTree, type TreeFile } from "./tree.ts";

/**
 * A tool that checksums a directory tree below `root`. The digest is what this prints in that directory:
 * `find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum -z | sha256sum`
 */
export function checksumTree(root: string) {
  return defineTool({
    name: "checksum_tree",
    title: "Checksum a directory tree",
    description: "Computes one SHA-256 digest over all files of a directory tree; links are left out",
    inputSchema: z.object({
      path: z.string().default(".").describe("The directory, relative to the server's root"),
      exclude: z.array(z.string()).default([]).describe("Names of files and directories to leave out"),
    }),
    outputSchema: z.object({
      digest: z.string().describe("SHA-256 in hex"),
      files: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
    handler: async ({ path, exclude }, ctx) => {
      const { list, hash } = ctx.phases({ list: 1, hash: 9 });
      const top = await resolveInside(root, path);
      const files = await listTree(top, {
        exclude: new Set(exclude),
        signal: ctx.signal,
        // How many directories there are is an estimate that grows; the phase never goes back.
        onDirectory: (read, known, directory) => list.progress(read, known, `list ${directory || "."}`),
      });
      list.done();
      return hashTree(top, files, hash, ctx);
    },
  });
}

async function hashTree(top: string, files: readonly TreeFile[], phase: ProgressPhase, ctx: McpToolContext) {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const hashed = phase.longProgress(total);
  const digest = createHash("sha256");
  let bytes = 0;
  for (const { path } of files) {
    const hex = await hashFile(join(top, path), ctx.signal, (count) => {
      bytes += count;
      hashed.emit(bytes, `hash ${path}`);
    });
    digest.update(`${hex}  ${path}\0`);
  }
  phase.done();
  return { digest: digest.digest("hex"), files: files.length, bytes };
}
