import { createHash } from "node:crypto";
import { join } from "node:path";
import { defineTool, type McpToolContext, MissingCapabilityError, type ProgressPhase } from "mcp-headway";
import { z } from "zod";
import { resolveInside } from "./root.ts";
import { hashFile, listTree, type TreeFile } from "./tree.ts";

export const algorithms = ["sha256", "sha384", "sha512"] as const;
export type Algorithm = (typeof algorithms)[number];

const algorithmSchema = z.union([
  z.literal("sha256").meta({ title: "SHA-256, what most tools print" }),
  z.literal("sha384").meta({ title: "SHA-384" }),
  z.literal("sha512").meta({ title: "SHA-512, often faster where the processor has no SHA instructions" }),
]);

/**
 * A tool that checksums a directory tree below `root`. The digest is what this prints in that directory (with `sha256sum`
 * or its like for another algorithm):
 * `find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum -z | sha256sum`
 */
export function checksumTree(root: string) {
  return defineTool({
    name: "checksum_tree",
    title: "Checksum a directory tree",
    description: "Computes one digest over all files of a directory tree; links are left out",
    inputSchema: z.object({
      path: z.string().default(".").describe("The directory, relative to the server's root"),
      exclude: z.array(z.string()).default([]).describe("Names of files and directories to leave out"),
      algorithm: algorithmSchema.optional().describe("What is computed; the user is asked when it is not given"),
    }),
    outputSchema: z.object({
      algorithm: z.enum(algorithms),
      digest: z.string().describe("In hex"),
      files: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
    handler: async ({ path, exclude, algorithm: given }, ctx) => {
      const { list, hash } = ctx.phases({ list: 1, hash: 9 });
      const top = await resolveInside(root, path);
      const algorithm = given ?? (await askAlgorithm(ctx));
      const files = await listTree(top, {
        exclude: new Set(exclude),
        signal: ctx.signal,
        // How many directories there are is an estimate that grows; the phase never goes back.
        onDirectory: (read, known, directory) => list.progress(read, known, `list ${directory || "."}`),
      });
      list.done();
      return hashTree(top, files, { algorithm, phase: hash, signal: ctx.signal });
    },
  });
}

// #region ask
/** Asks what the arguments leave open. Who cannot be asked, or does not say, gets SHA-256. */
async function askAlgorithm(ctx: McpToolContext): Promise<Algorithm> {
  try {
    const { content } = await ctx.elicit("Which digest?", z.object({ algorithm: algorithmSchema.default("sha256") }));
    return content?.algorithm ?? "sha256";
  } catch (error) {
    if (error instanceof MissingCapabilityError) return "sha256";
    throw error;
  }
}
// #endregion

interface HashOptions {
  readonly algorithm: Algorithm;
  readonly phase: ProgressPhase;
  readonly signal: AbortSignal;
}

async function hashTree(top: string, files: readonly TreeFile[], { algorithm, phase, signal }: HashOptions) {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const hashed = phase.longProgress(total);
  const digest = createHash(algorithm);
  let bytes = 0;
  for (const { path } of files) {
    const onBytes = (count: number) => {
      bytes += count;
      hashed.emit(bytes, `hash ${path}`);
    };
    digest.update(`${await hashFile(join(top, path), { algorithm, signal, onBytes })}  ${path}\0`);
  }
  phase.done();
  return { algorithm, digest: digest.digest("hex"), files: files.length, bytes };
}
