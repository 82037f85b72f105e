import { z } from "zod";
import { outputText, wholeNumber } from "../fields.ts";

const MAX_MESSAGE = 2_000;

export const errorResponseSchema = z
  .strictObject({
    statusCode: wholeNumber.min(400).max(599).meta({ format: "int32" }).describe("The status, repeated."),
    message: z
      .xor([outputText(MAX_MESSAGE), z.array(outputText(MAX_MESSAGE))])
      .describe("For people; what failed validation is a list, one entry per problem. Never to be branched on."),
    error: outputText(64).describe("The short name of the status.").optional(),
  })
  .meta({ id: "ErrorResponse", description: "What went wrong, and how bad it is." });
export type ErrorResponse = z.infer<typeof errorResponseSchema>;

/** An error of the token endpoint (RFC 6749 §5.2). */
export const oauthErrorSchema = z
  .strictObject({
    error: z
      .enum(["invalid_request", "invalid_client", "unsupported_grant_type", "invalid_scope"])
      .describe("What went wrong, for programs."),
    error_description: outputText(MAX_MESSAGE).describe("What went wrong, for people."),
  })
  .meta({ id: "OAuthError", description: "What went wrong at the token endpoint (RFC 6749 §5.2)." });
export type OAuthError = z.infer<typeof oauthErrorSchema>;
