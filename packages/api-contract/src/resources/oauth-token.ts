import { z } from "zod";
import { wholeNumber } from "../fields/money.ts";
import { strictObject } from "../fields/objects.ts";
import { outputText } from "../fields/text.ts";
import { validationMessage } from "../fields/validation-message.ts";

const parameter = z
  .string({ error: validationMessage })
  .min(1, "must not be blank")
  .max(1_024, "must have at most 1024 characters");

/**
 * RFC 6749 §4.4.2. Unknown parameters are ignored (§3.2). Only `grant_type` is required by the shape: the client's
 * credentials may come by HTTP Basic instead.
 */
export const tokenRequestSchema = z
  .object(
    {
      grant_type: parameter.meta({ examples: ["client_credentials"] }).describe("Always `client_credentials`."),
      client_id: parameter.describe("Required, unless the client authenticates by HTTP Basic.").optional(),
      client_secret: parameter.describe("Required, unless the client authenticates by HTTP Basic.").optional(),
      scope: z
        .string({ error: validationMessage })
        .max(1_024, "must have at most 1024 characters")
        .describe("Scopes, separated by spaces; every scope the client may use where it is left out.")
        .optional(),
    },
    { error: validationMessage },
  )
  .meta({
    id: "TokenRequest",
    description: "The client credentials grant (RFC 6749 §4.4.2); unknown parameters are ignored.",
  });
export type TokenRequest = z.infer<typeof tokenRequestSchema>;

export const tokenSchema = strictObject({
  token_type: z.literal("Bearer").describe("How the token is used."),
  access_token: outputText(4_096).describe("Goes into the header `Authorization: Bearer <token>`."),
  expires_in: wholeNumber.min(1).max(3_600).describe("Seconds until the token expires."),
  scope: outputText(1_024).describe("The scopes granted, separated by spaces."),
}).meta({ id: "Token", description: "An access token of one hour." });
export type TokenBody = z.infer<typeof tokenSchema>;
