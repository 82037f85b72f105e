import type { Operation } from "../operation.ts";
import { tokenRequestSchema, tokenSchema } from "../resources/oauth-token.ts";

export const exchangeTokenOperation = {
  id: "exchangeToken",
  method: "POST",
  path: "/v1/oauth/token",
  service: "command",
  summary: "Exchange client credentials for an access token",
  scope: null,
  body: tokenRequestSchema,
  bodyType: "form",
  success: { status: 200, body: tokenSchema },
  errors: {
    400: "The request is malformed, the grant type unsupported or a scope unknown.",
    401: "The client is unknown or its secret wrong.",
  },
} as const satisfies Operation;
