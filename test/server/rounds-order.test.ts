import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { accept, answer, asking, messagesOf, named, turn } from "./asking.ts";

it("questions that are asked at once appear in the order of asking, however long a digest takes", async () => {
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  const slowFirst = vi.spyOn(crypto.subtle, "digest").mockImplementationOnce(async (...given) => {
    await turn();
    return digest(...given);
  });
  onTestFinished(() => slowFirst.mockRestore());
  const { send } = asking((ctx) => Promise.all(["A?", "B?", "C?"].map((message) => ctx.elicit(message, named))));
  const { events, end } = send();
  expect(messagesOf(await end)).toEqual(["A?", "B?", "C?"]);
  const asked = events.flatMap((event) => (event.type === "elicitation" ? [event.request.params] : []));
  expect(asked).toMatchObject([{ message: "A?" }, { message: "B?" }, { message: "C?" }]);
  expect(slowFirst).toHaveBeenCalled();
});

it("a question that is asked again stands where it was asked, however long its answer is checked", async () => {
  const slow = z.object({
    name: z.string().refine(async () => {
      await turn();
      return false;
    }, "no"),
  });
  const { call } = asking((ctx) =>
    Promise.all([ctx.elicit("A?", slow, { key: "a" }), ctx.elicit("B?", named, { key: "b" })]),
  );
  const first = await call();
  expect(messagesOf(first)).toEqual(["A?", "B?"]);
  expect(messagesOf(await call(answer(first, { a: accept({ name: "x" }) }, true)))).toEqual(["A? (name: no)", "B?"]);
});
