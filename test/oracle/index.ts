export { checkLifecycle, type ObservedRequest } from "./lifecycle.ts";
export { checkServerMessage } from "./message.ts";
