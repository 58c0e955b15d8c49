export { checkLifecycle } from "./lifecycle.ts";
export { checkServerMessage } from "./message.ts";
