// One handler of the official SDK
export {
  type SdkToolCallback,
  type SdkToolContext,
  type SdkToolHandler,
  type ToolContextOptions,
  type ToolReturn,
  withToolContext,
} from "./context.ts";
// Definitions on servers of the official SDK
export { createMount, type Mount, type Mounted, type MountOptions } from "./mount.ts";
// What developers are told of such handlers
export { contextDiagnostics } from "./told.ts";
// The hook for its ServerOptions
export { type VerifyOptions, type VerifyRequestState, verifyRequestState } from "./verify.ts";
