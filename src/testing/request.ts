import type { ProgressToken } from "../events/index.ts";

/** A request of a test. */
export interface TestRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** `null` asks for no progress. @default a token of its own */
  readonly progressToken?: ProgressToken | null | undefined;
}

/** A call of a tool, as every part of this kit takes it. */
export function toolCall(
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  { progressToken }: Pick<TestRequest, "progressToken"> = {},
): TestRequest {
  return { method: "tools/call", params: { name, arguments: args }, progressToken };
}
