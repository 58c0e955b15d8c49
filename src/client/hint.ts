import { isInstance, McpError } from "../errors.ts";
import { isObject, MISSING_REQUIRED_CLIENT_CAPABILITY } from "../wire/index.ts";

/** Says what a client of this process can do about it when it cannot be asked because nobody would answer. */
export function hinted(error: unknown): unknown {
  if (!isInstance(error, McpError) || error.code !== MISSING_REQUIRED_CLIENT_CAPABILITY) return error;
  const { requiredCapabilities } = isObject(error.data) ? error.data : {};
  if (!isObject(requiredCapabilities) || requiredCapabilities.elicitation === undefined) return error;
  return new McpError(error.code, `${error.message}; give \`connect\` or the call an \`onElicit\``, error.data);
}
