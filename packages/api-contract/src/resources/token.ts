import { z } from "zod";
import { outputText, wholeNumber } from "../fields.ts";
import type { Operation } from "../operation.ts";

const MAX_PARAMETER = 1_024;
const TOKEN_LIFETIME_SECONDS = 3_600;

const parameter = z.string().min(1, "must not be blank").max(MAX_PARAMETER);

/**
 * RFC 6749 §4.4.2. Unknown parameters are ignored (§3.2). The client's credentials are optional here: they may come by
 * HTTP Basic instead.
 */
export const tokenRequestSchema = z
  .object({
    grant_type: parameter.meta({ examples: ["client_credentials"] }).describe("Always `client_credentials`."),
    client_id: parameter.describe("Required, unless the client authenticates by HTTP Basic.").optional(),
    client_secret: parameter.describe("Required, unless the client authenticates by HTTP Basic.").optional(),
    scope: z
      .string()
      .max(MAX_PARAMETER)
      .describe("Scopes, separated by spaces; every scope the client may use where it is left out.")
      .optional(),
  })
  .meta({
    id: "TokenRequest",
    description: "The client credentials grant (RFC 6749 §4.4.2); unknown parameters are ignored.",
  });
export type TokenRequest = z.infer<typeof tokenRequestSchema>;

const tokenSchema = z
  .strictObject({
    token_type: z.literal("Bearer").describe("How the token is used."),
    access_token: outputText(4_096).describe("Goes into the header `Authorization: Bearer <token>`."),
    expires_in: wholeNumber.min(1).max(TOKEN_LIFETIME_SECONDS).describe("Seconds until the token expires."),
    scope: outputText(MAX_PARAMETER).describe("The scopes granted, separated by spaces."),
  })
  .meta({ id: "Token", description: "An access token of one hour." });
export type TokenBody = z.infer<typeof tokenSchema>;

export const exchangeTokenOperation = {
  id: "exchangeToken",
  method: "POST",
  path: "/v1/oauth/token",
  service: "command",
  tag: "Authentication",
  summary: "Exchange client credentials for an access token",
  description:
    "The client credentials grant of OAuth 2.0. The client's id and secret stand in the form, or in HTTP Basic authentication. The token expires after an hour; ask for a new one before.",
  scope: null,
  body: tokenRequestSchema,
  bodyType: "form",
  success: { status: 200, body: tokenSchema },
  errors: {
    400: ["invalid_request", "unsupported_grant_type", "invalid_scope"],
    401: ["invalid_client"],
  },
} as const satisfies Operation;
