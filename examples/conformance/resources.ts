import { defineResource } from "mcp-headway";
import { png } from "./media.ts";

const text = defineResource({
  uri: "test://static-text",
  name: "static-text",
  description: "A text that never changes",
  mimeType: "text/plain",
  read: () => "This is the content of the static text resource.",
});

const binary = defineResource({
  uri: "test://static-binary",
  name: "static-binary",
  description: "An image that never changes",
  mimeType: png.mimeType,
  read: () => Buffer.from(png.data, "base64"),
});

const template = defineResource({
  uriTemplate: "test://template/{id}/data",
  name: "template",
  description: "Data by id",
  mimeType: "application/json",
  read: (_uri, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
});

export const resources = [text, binary, template];
