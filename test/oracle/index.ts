export { checkLegacyMessage } from "./legacy.ts";
export { checkLifecycle } from "./lifecycle.ts";
export { checkServerMessage } from "./message.ts";
