import { z } from "zod";
import { shorten } from "../errors.ts";
import type { InputRequest } from "../events/index.ts";
import { formSchema } from "./form.ts";

/** What the client answered; `content` only when it accepted. */
export type Answer<T> =
  | { readonly action: "accept"; readonly content: T }
  | { readonly action: "decline" | "cancel"; readonly content?: undefined };

/** A response that was read: the value for the handler, or the first thing that is wrong with it. */
type Reading<T> =
  | { readonly type: "answer"; readonly value: T; readonly kept: unknown }
  | { readonly type: "invalid"; readonly issue: string };

/** A request to the client and how its response is read. */
export interface Question<T> {
  readonly request: InputRequest;
  readonly read: (response: unknown) => Promise<Reading<T>>;
}

const action = z
  .object({ action: z.enum(["accept", "decline", "cancel"]), content: z.unknown().optional() })
  .transform(({ action, content }): Answer<unknown> => (action === "accept" ? { action, content } : { action }));

/** A form. Accepted content is validated with the schema itself; of a decline or cancel it is ignored. */
export function formQuestion<S extends z.ZodObject>(message: string, schema: S): Question<Answer<z.output<S>>> {
  const params = { mode: "form", message: checkedMessage(message), requestedSchema: formSchema(schema) };
  return {
    request: { method: "elicitation/create", params },
    read: (response) =>
      readAction(response, async (content = {}) => {
        const checked = await schema.safeParseAsync(content);
        if (!checked.success) return { type: "invalid", issue: firstIssue(checked.error) };
        const value: Answer<z.output<S>> = { action: "accept", content: checked.data };
        return { type: "answer", value, kept: { action: "accept", content } };
      }),
  };
}

/** A URL to open. Accepting it is consent, not completion. */
export function urlQuestion(message: string, url: string | URL): Question<Answer<undefined>> {
  const text = String(url);
  if (!URL.canParse(text)) throw new TypeError(`Expected \`url\` to be an absolute URL, got ${JSON.stringify(text)}`);
  const params = { mode: "url", message: checkedMessage(message), url: new URL(text).href };
  return {
    request: { method: "elicitation/create", params },
    read: (response) =>
      readAction(response, async () => {
        const value: Answer<undefined> = { action: "accept", content: undefined };
        return { type: "answer", value, kept: { action: "accept" } };
      }),
  };
}

async function readAction<T>(
  response: unknown,
  accept: (content: unknown) => Promise<Reading<Answer<T>>>,
): Promise<Reading<Answer<T>>> {
  const checked = action.safeParse(response);
  if (!checked.success) return { type: "invalid", issue: firstIssue(checked.error) };
  if (checked.data.action === "accept") return accept(checked.data.content);
  return { type: "answer", value: { action: checked.data.action }, kept: { action: checked.data.action } };
}

const responses = {
  "elicitation/create": action,
  "sampling/createMessage": z.looseObject({
    role: z.enum(["user", "assistant"]),
    content: z.union([z.looseObject({ type: z.string() }), z.array(z.looseObject({ type: z.string() }))]),
    model: z.string(),
  }),
  "roots/list": z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) }),
} as const;

/** What a client answers to a request. */
export type InputResponseOf<R extends InputRequest> = z.output<(typeof responses)[R["method"]]>;

/** Sampling, roots, or an elicitation in the protocol's own words. */
export function inputQuestion<R extends InputRequest>(request: R): Question<InputResponseOf<R>> {
  if (!Object.hasOwn(responses, request.method)) {
    throw new TypeError(`Expected \`method\` to be one of ${Object.keys(responses).join(", ")}, got ${request.method}`);
  }
  const schema: z.ZodType = responses[request.method];
  return {
    request,
    async read(response) {
      const checked = schema.safeParse(response);
      if (!checked.success) return { type: "invalid", issue: firstIssue(checked.error) };
      return { type: "answer", value: checked.data as InputResponseOf<R>, kept: response };
    },
  };
}

/** The question once more, with what was wrong with the answer at the end of its message. */
export function askAgain(request: InputRequest, issue: string): InputRequest {
  const { params } = request;
  if (params === undefined || !("message" in params)) return request;
  return { ...request, params: { ...params, message: `${params.message} (${issue})` } };
}

function checkedMessage(message: unknown): string {
  if (typeof message === "string") return message;
  throw new TypeError(`Expected \`message\` to be a string, got a ${typeof message}`);
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return error.message;
  const path = issue.path.join(".");
  return shorten(path === "" ? issue.message : `${path}: ${issue.message}`);
}
