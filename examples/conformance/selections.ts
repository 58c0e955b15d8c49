// A form with every kind of selection that the protocol knows.
import { defineTool } from "mcp-headway";

const options = ["option1", "option2", "option3"];

/**
 * In the protocol's own words, because of the deprecated `enumNames`. For the other four zod has words:
 * `z.enum([…])`, `z.union([z.literal("value1").meta({ title: "First" }), …])`, and `z.array` of both.
 */
const requestedSchema = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") } },
  },
};

function titled(...titles: readonly string[]) {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }));
}

export const selectionTool = defineTool({
  name: "test_elicitation_sep1330_enums",
  description: "Asks the user to select",
  handler: async (_args, ctx) => {
    const { action, content = {} } = await ctx.requestInput({
      method: "elicitation/create",
      params: { mode: "form", message: "Please select options from the enum fields", requestedSchema },
    });
    return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
  },
});
