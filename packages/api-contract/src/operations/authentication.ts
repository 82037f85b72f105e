import type { Operation } from "../operation.ts";
import { tokenRequestSchema, tokenSchema } from "../resources/oauth-token.ts";

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
    400: "The request is malformed, the grant type unsupported or a scope unknown.",
    401: "The client is unknown or its secret wrong.",
  },
} as const satisfies Operation;
