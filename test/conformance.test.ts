import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type HttpHandle, serveHttp } from "mcp-headway/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEverythingServer } from "../examples/conformance/everything.ts";
import { problemsOf, type Scenario } from "../examples/conformance/results.ts";

// What the official suite does not look at in this revision of the protocol, seen by the official client.
describe("the server for the conformance suite", () => {
  let handle: HttpHandle;
  beforeAll(async () => {
    handle = await serveHttp(createEverythingServer());
  });
  afterAll(() => handle.close());

  /** Calls a tool and answers its one question; returns the question and what the tool said. */
  async function ask(name: string, args: Record<string, unknown>, answer: Record<string, unknown>) {
    const questions: unknown[] = [];
    const client = new Client(
      { name: "guest", version: "1.0.0" },
      { capabilities: { elicitation: {}, sampling: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    const respond = (request: { params: unknown }) => {
      questions.push(request.params);
      return answer as never;
    };
    client.setRequestHandler("elicitation/create", respond);
    client.setRequestHandler("sampling/createMessage", respond);
    await client.connect(new StreamableHTTPClientTransport(new URL(handle.url)));
    const { content } = await client.callTool({ name, arguments: args });
    await client.close();
    return { questions, content };
  }

  it("asks with a default of every type", async () => {
    const { questions, content } = await ask("test_elicitation_sep1034_defaults", {}, { action: "decline" });
    const properties = {
      name: { type: "string", description: "User name", default: "John Doe" },
      age: { type: "integer", description: "User age", default: 30 },
      score: { type: "number", description: "User score", default: 95.5 },
      status: {
        type: "string",
        enum: ["active", "inactive", "pending"],
        description: "User status",
        default: "active",
      },
      verified: { type: "boolean", description: "Verification status", default: true },
    };
    expect(questions).toMatchObject([{ requestedSchema: { type: "object", properties } }]);
    expect(content).toEqual([{ type: "text", text: "Elicitation completed: action=decline, content={}" }]);
  });

  it("asks with every kind of selection", async () => {
    const selected = { untitledSingle: "option1", titledMulti: ["value1", "value2"] };
    const answer = { action: "accept", content: selected };
    const { questions, content } = await ask("test_elicitation_sep1330_enums", {}, answer);
    const titled = (title: string) => expect.arrayContaining([{ const: "value1", title }]);
    const properties = {
      untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
      titledSingle: { type: "string", oneOf: titled("First Option") },
      legacyEnum: { type: "string", enumNames: ["Option One", "Option Two", "Option Three"] },
      untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
      titledMulti: { type: "array", items: { anyOf: titled("First Choice") } },
    };
    expect(questions).toMatchObject([{ requestedSchema: { properties } }]);
    const text = `Elicitation completed: action=accept, content=${JSON.stringify(selected)}`;
    expect(content).toEqual([{ type: "text", text }]);
  });

  it("asks with the message of its caller", async () => {
    const answer = { action: "accept", content: { username: "ada", email: "ada@example.com" } };
    const { questions, content } = await ask("test_elicitation", { message: "Who are you?" }, answer);
    expect(questions).toMatchObject([{ message: "Who are you?" }]);
    expect(content).toEqual([
      { type: "text", text: `User response: action=accept, content=${JSON.stringify(answer.content)}` },
    ]);
  });

  it("asks the client's model", async () => {
    const answer = { role: "assistant", content: { type: "text", text: "Forty-two" }, model: "oracle" };
    const { questions, content } = await ask("test_sampling", { prompt: "What is it?" }, answer);
    expect(questions).toMatchObject([{ messages: [{ role: "user", content: { text: "What is it?" } }] }]);
    expect(content).toEqual([{ type: "text", text: "LLM response: Forty-two" }]);
  });

  it("asks between two phases of its work", async () => {
    const { content } = await ask("test_streaming_elicitation", {}, { action: "accept", content: { ok: true } });
    expect(content).toEqual([{ type: "text", text: "Streaming complete: accept" }]);
  });

  it.each([
    [{ contactMethod: "phone", email: "ada@example.com" }, true],
    [{ phone: "1" }, true],
    [{ email: "ada@example.com", surname: "Lovelace" }, true],
    [{ contactMethod: "phone", phone: "1" }, undefined],
    [{ name: "Ada", email: "ada@example.com" }, undefined],
  ])("judges the arguments %j as its JSON Schema says", async (args, isError) => {
    const client = new Client(
      { name: "guest", version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(handle.url)));
    const result = await client.callTool({ name: "json_schema_2020_12_tool", arguments: args });
    await client.close();
    expect(result.isError).toBe(isError);
  });
});

describe("the judgement of a run of the suite", () => {
  const clean: Scenario = {
    name: "tools-list",
    checks: [
      { id: "listed", status: "SUCCESS" },
      { id: "streamed", status: "INFO" },
      { id: "changed", status: "SKIPPED" },
    ],
  };

  it("finds nothing wrong with a clean run", () => {
    expect(problemsOf([clean])).toEqual([]);
  });

  it.each(["FAILURE", "WARNING"] as const)("reports a %s with its reason", (status) => {
    const bad = { ...clean, checks: [...clean.checks, { id: "named", status, errorMessage: "No name" }] };
    expect(problemsOf([clean, bad])).toEqual([`tools-list: ${status} named: No name`]);
  });

  it("reports a scenario that checked nothing", () => {
    expect(problemsOf([{ ...clean, checks: clean.checks.slice(1) }])).toEqual(["tools-list: nothing was checked"]);
  });
});
