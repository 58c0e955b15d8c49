import type { Method, Parts } from "./method.ts";
import { callTool } from "./tools.ts";

/** The methods that a server answers: those of what it offers, and no others. */
export function methodsOf(parts: Parts, _instructions: string | undefined): ReadonlyMap<string, Method> {
  return new Map([["tools/call", callTool(parts)]]);
}
