import { z } from "zod";
import { outputText } from "../fields/text.ts";
import type { Operation } from "../operation.ts";

/** An OpenAPI document says what it is; the rest of it has a schema elsewhere. */
const documentSchema = z
  .looseObject({ openapi: outputText(10).describe("The version of OpenAPI it is written in.") })
  .meta({ id: "InterfaceDescription", description: "An OpenAPI 3.1 document." });

export const getInterfaceOperation = {
  id: "getInterface",
  method: "GET",
  path: "/v1/openapi.json",
  service: "query",
  tag: "Interface",
  summary: "Get this description",
  description: "The description of the whole interface, made from the schemas that validate. It counts in no limit.",
  scope: null,
  success: { status: 200, body: documentSchema, tagged: true },
} as const satisfies Operation;
