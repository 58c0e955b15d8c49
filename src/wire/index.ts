export { readCancellation } from "./cancellation.ts";
export {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_REQUIRED_CLIENT_CAPABILITY,
  PARSE_ERROR,
  UNSUPPORTED_PROTOCOL_VERSION,
} from "./codes.ts";
export { bare, type Framing, printError, printNotification, printResult } from "./encode.ts";
export { toErrorBody, toToolFailure } from "./failure.ts";
export { decodeHeaderValue } from "./header.ts";
export { formatIssues } from "./issues.ts";
export { type Decoded, decodeText, decodeValue, type ErrorBody } from "./json-rpc.ts";
export { type Envelope, metaKeys, readEnvelope } from "./meta.ts";
export { createPrinter, type EventPrinter, type PrinterOptions } from "./printer.ts";
export { checkVersion, supportedVersions } from "./version.ts";
