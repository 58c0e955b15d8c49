// Tools whose arguments say more than their types.
import { defineTool } from "mcp-headway";
import { z } from "zod";

/** Clients mirror the region into the HTTP header `Mcp-Param-Region`, for proxies to route by. */
const headerArgument = defineTool({
  name: "test_custom_header",
  description: "Takes an argument that is mirrored into an HTTP header",
  inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
  handler: ({ region }) => `The region is ${region}`,
});

const address = z
  .object({ street: z.string().optional(), city: z.string().optional() })
  .meta({ id: "address", $anchor: "addressDef" });

const contact = z.strictObject({
  name: z.string().optional(),
  address: address.optional(),
  contactMethod: z.enum(["phone", "email"]).optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
});

/** What zod checks by code, JSON Schema has keywords for: they are told to clients through `meta`. */
const contactSchema = contact
  .refine(isReachable, "Expected a phone number for the method phone, else an email address")
  .meta({
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema, and nobody awaits it.
    then: { required: ["phone"] },
    else: { required: ["email"] },
  });

function isReachable({ contactMethod, phone, email }: z.output<typeof contact>): boolean {
  return contactMethod === "phone" ? phone !== undefined : email !== undefined;
}

const jsonSchema = defineTool({
  name: "json_schema_2020_12_tool",
  description: "Takes arguments that need the vocabulary of JSON Schema 2020-12",
  inputSchema: contactSchema,
  handler: ({ name = "Somebody", contactMethod = "email" }) => `${name} is reached by ${contactMethod}`,
});

export const argumentTools = [headerArgument, jsonSchema];
