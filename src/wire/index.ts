export { readCancellation } from "./cancellation.ts";
export {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  PARSE_ERROR,
  RESOURCE_NOT_FOUND_2025,
  UNSUPPORTED_PROTOCOL_VERSION,
} from "./codes.ts";
export type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  PromptMessage,
  PromptResult,
  ResourceContents,
  ResourceLink,
  ResourceResult,
  TextContent,
  ToolResult,
} from "./content.ts";
export type { ElicitRequest, ElicitResult, FormParams, UrlParams } from "./elicitation.ts";
export { bare, type Framing, printError, printJson, printNotification, printRequest, printResult } from "./encode.ts";
export { toErrorBody, toToolFailure } from "./failure.ts";
export { decodeHeaderValue } from "./header.ts";
export { isObject } from "./identifier.ts";
export { readInitialize, readLegacyMeta } from "./initialize.ts";
export { formatIssues } from "./issues.ts";
export { type Decoded, decodeText, decodeValue, type ErrorBody } from "./json-rpc.ts";
export { type Envelope, encodeEnvelope, hasEnvelope, metaKeys, readEnvelope } from "./meta.ts";
export { createPrinter, type EventPrinter, type PrinterOwner } from "./printer.ts";
export { checkVersion, latestVersion, legacyVersions, negotiateVersion, supportedVersions } from "./version.ts";
