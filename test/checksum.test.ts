import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMcpServer, type ProgressUpdate, type ToolDefinition } from "mcp-headway";
import { type Client, connect, type ElicitRequest, type ElicitResult } from "mcp-headway/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checksumTree } from "../examples/checksum/tool.ts";
import { hashFile } from "../examples/checksum/tree.ts";

const keys = [{ id: "test", secret: new Uint8Array(32).fill(7) }];

describe("the checksum tool", () => {
  let outside: string;
  let root: string;
  let client: Client;

  beforeEach(async () => {
    outside = mkdtempSync(join(tmpdir(), "headway-"));
    root = join(outside, "root");
    await mkdir(join(root, "b", "c"), { recursive: true });
    await mkdir(join(outside, "root-2"));
    await writeFile(join(outside, "root-2", "secret"), "secret");
    await writeFile(join(root, "a.txt"), "a");
    await writeFile(join(root, "b", "empty"), "");
    await writeFile(join(root, "b", "c", "ünï\ncode"), "c".repeat(1_000));
    await symlink(join(outside, "root-2"), join(root, "way-out"));
    await symlink(join(outside, "root-2", "secret"), join(root, "b", "link"));
    client = connectTo(checksumTree(root));
  });

  afterEach(() => {
    client.close();
    rmSync(outside, { recursive: true });
  });

  function connectTo(tool: ToolDefinition): Client {
    return connect(
      createMcpServer(
        { name: "checksum", version: "1.0.0", tools: [tool] },
        { maskErrors: true, requestState: { keys } },
      ),
    );
  }

  const onLinux = it.runIf(process.platform === "linux");
  onLinux.each(["sha256", "sha384", "sha512"])("computes what the shell computes with %ssum", async (algorithm) => {
    const sum = `${algorithm}sum`;
    const script = `find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 ${sum} -z | ${sum}`;
    const [digest] = execFileSync("sh", ["-c", script], { cwd: root, encoding: "utf8" }).split(" ");
    const { structuredContent } = await client.callTool("checksum_tree", { algorithm });
    expect(structuredContent).toEqual({ algorithm, digest, files: 3, bytes: 1_001 });
  });

  it("asks which digest when it is not told, and does not ask when it is", async () => {
    const asked: string[] = [];
    const onElicit = ({ params }: ElicitRequest): ElicitResult => {
      asked.push(params.message);
      return { action: "accept", content: { algorithm: "sha384" } };
    };
    const open = await client.callTool("checksum_tree", {}, { onElicit });
    expect(open.structuredContent).toMatchObject({ algorithm: "sha384" });
    const told = await client.callTool("checksum_tree", { algorithm: "sha512" }, { onElicit });
    expect(told.structuredContent).toMatchObject({ algorithm: "sha512" });
    expect(asked).toEqual(["Which digest?"]);
  });

  it.each([
    ["cannot be asked", {}],
    ["declines", { onElicit: (): ElicitResult => ({ action: "decline" }) }],
    ["goes away from the question", { onElicit: (): ElicitResult => ({ action: "cancel" }) }],
  ])("computes SHA-256 for a client that %s", async (_, options) => {
    const { structuredContent } = await client.callTool("checksum_tree", {}, options);
    expect(structuredContent).toMatchObject({ algorithm: "sha256", digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it("reports directories and then bytes on one line that ends at 1", async () => {
    const updates: ProgressUpdate[] = [];
    await client.callTool("checksum_tree", {}, { onProgress: (update) => updates.push(update) });
    expect(updates.map(({ message }) => message)).toEqual(expect.arrayContaining(["list .", "hash a.txt"]));
    expect(updates.at(-1)).toEqual({ progress: 1, total: 1, message: "hash b/c/ünï\ncode" });
  });

  it("completes an empty directory", async () => {
    await mkdir(join(root, "none"));
    const updates: unknown[] = [];
    const { structuredContent } = await client.callTool(
      "checksum_tree",
      { path: "none" },
      { onProgress: (update) => updates.push(update) },
    );
    expect(structuredContent).toMatchObject({ files: 0, bytes: 0 });
    expect(updates.at(-1)).toMatchObject({ progress: 1 });
  });

  it("leaves out what is excluded", async () => {
    const { structuredContent } = await client.callTool("checksum_tree", { exclude: ["c", "empty"] });
    expect(structuredContent).toMatchObject({ files: 1, bytes: 1 });
  });

  it.each([
    "..",
    "../root-2",
    "b/../..",
    "/",
    "/etc",
    "way-out",
    "way-out/.",
    "a.txt",
    "no-such",
    "../no-such",
    "a\0b",
  ])("refuses the path %j without saying what is there", async (path) => {
    const refused = await client.callTool("checksum_tree", { path });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain("inside the root");
    expect(JSON.stringify(refused.content)).not.toContain(outside);
    expect(await client.callTool("checksum_tree", { path: "b/c" })).not.toHaveProperty("isError");
  });

  it.skipIf(process.platform === "win32")("does not follow a file that became a link after it was listed", async () => {
    const options = { algorithm: "sha256", signal: new AbortController().signal, onBytes: () => undefined };
    await expect(hashFile(join(root, "b", "link"), options)).rejects.toThrow(/ELOOP|EMLINK/);
    await expect(hashFile(join(root, "a.txt"), options)).resolves.toMatch(/^[0-9a-f]{64}$/);
  });

  it.runIf(existsSync("/proc/self/fd"))("stops reading when it is cancelled, and leaves no file open", async () => {
    await truncate(join(root, "a.txt"), 512 * 1024 * 1024);
    const tool = checksumTree(root);
    const runs: Promise<unknown>[] = [];
    const watched = connectTo({
      ...tool,
      handler: (args, ctx) => {
        const run = Promise.resolve(tool.handler(args, ctx));
        runs.push(run);
        return run;
      },
    });
    const left = new AbortController();
    const openThen: string[] = [];
    const call = watched.callTool(
      "checksum_tree",
      {},
      {
        signal: left.signal,
        onProgress: ({ message }) => {
          if (message !== "hash a.txt") return;
          openThen.push(...openFiles());
          left.abort();
        },
      },
    );
    await expect(call).rejects.toThrow(/abort/);
    await expect(runs[0]).rejects.toThrow(/abort/);
    expect(openThen).toEqual([join(root, "a.txt")]);
    await vi.waitFor(() => expect(openFiles()).toEqual([]));
    watched.close();
  });

  function openFiles(): readonly string[] {
    return readdirSync("/proc/self/fd")
      .map((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`);
        } catch {
          return "";
        }
      })
      .filter((path) => path.startsWith(outside));
  }
});
