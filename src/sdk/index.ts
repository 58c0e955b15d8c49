// One handler of the official SDK
export {
  type ContextOptions,
  type PromptReturn,
  type ResourceReturn,
  type SdkCallback,
  type SdkHandler,
  type SdkPromptContext,
  type SdkResourceContext,
  type SdkToolContext,
  type ToolReturn,
  withPromptContext,
  withResourceContext,
  withToolContext,
} from "./context.ts";
// Definitions on servers of the official SDK
export { createMount, type Mount, type Mounted, type MountOptions, type Registered } from "./mount.ts";
// What developers are told of such handlers
export { contextDiagnostics } from "./told.ts";
// The hook for its ServerOptions
export { type VerifyOptions, type VerifyRequestState, verifyRequestState } from "./verify.ts";
