// Tools that return at once, in every form that a result can have.
import { defineTool, ToolError } from "mcp-headway";
import { png, wav } from "./media.ts";

const simpleText = defineTool({
  name: "test_simple_text",
  description: "Returns a text",
  handler: () => "This is a simple text response for testing.",
});

const image = defineTool({
  name: "test_image_content",
  description: "Returns an image",
  handler: () => ({ content: [{ type: "image", ...png }] }),
});

const audio = defineTool({
  name: "test_audio_content",
  description: "Returns a sound",
  handler: () => ({ content: [{ type: "audio", ...wav }] }),
});

const embeddedResource = defineTool({
  name: "test_embedded_resource",
  description: "Returns a resource inside of its result",
  handler: () => ({
    content: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      },
    ],
  }),
});

const multipleContentTypes = defineTool({
  name: "test_multiple_content_types",
  description: "Returns a text, an image and a resource",
  handler: () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", ...png },
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: JSON.stringify({ test: "data", value: 123 }),
        },
      },
    ],
  }),
});

const errorHandling = defineTool({
  name: "test_error_handling",
  description: "Fails",
  handler: () => {
    throw new ToolError("This tool intentionally returns an error for testing");
  },
});

const logging = defineTool({
  name: "test_logging_tool",
  description: "Returns without a log message: logging is deprecated, and not offered",
  handler: () => "Nothing was logged",
});

export const contentTools = [simpleText, image, audio, embeddedResource, multipleContentTypes, errorHandling, logging];
