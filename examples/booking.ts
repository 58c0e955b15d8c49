// `finally` runs in every round, and `catch` lets the question pass: a seat is never held while a user thinks.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createMcpServer, defineTool, isUnanswered } from "mcp-headway";
import { connect, type ElicitResult } from "mcp-headway/client";
import { z } from "zod";

const free = new Set(["A1", "A2"]);
let holds = 0;
let held = 0;

function hold(): { book(seat: string): string; release(): void } {
  holds += 1;
  held += 1;
  return {
    book(seat) {
      if (!free.delete(seat)) throw new Error(`${seat} is taken`);
      return `Booked ${seat}`;
    },
    release() {
      held -= 1;
    },
  };
}

// #region tool
const bookSeat = defineTool({
  name: "book_seat",
  description: "Books a seat of the user's choice",
  handler: async (_args, ctx) => {
    const plan = hold();
    try {
      const { content } = await ctx.elicit("Which seat?", z.object({ seat: z.string() }));
      return content === undefined ? "No seat was booked" : plan.book(content.seat);
    } catch (error) {
      if (isUnanswered(error)) throw error;
      return `Sorry: ${error instanceof Error ? error.message : error}`;
    } finally {
      plan.release();
    }
  },
});
// #endregion

const keys = [{ id: "1", secret: randomBytes(32) }];
const server = createMcpServer({ name: "theatre", version: "1.0.0", tools: [bookSeat] }, { requestState: { keys } });
const onElicit = (): ElicitResult => {
  assert.equal(held, 0);
  return { action: "accept", content: { seat: "A2" } };
};
const client = connect(server, { onElicit });

const said = [await client.callTool("book_seat"), await client.callTool("book_seat")];
assert.deepEqual(
  said.flatMap(({ content }) => content),
  [
    { type: "text", text: "Booked A2" },
    { type: "text", text: "Sorry: A2 is taken" },
  ],
);
assert.equal(holds, 4);
console.log("Two calls held the plan four times, and never while they waited");

client.close();
