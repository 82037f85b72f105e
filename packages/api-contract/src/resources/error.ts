import { z } from "zod";
import { strict } from "../fields/objects.ts";

export const errorResponseSchema = strict({
  statusCode: z.int(),
  /** For people; validation failures list one entry per problem. */
  message: z.union([z.string(), z.array(z.string())]),
  error: z.string().optional(),
});
export type ErrorResponse = z.infer<typeof errorResponseSchema>;

/** RFC 6749 §5.2; the error body of the token endpoint. */
export const oauthErrorSchema = strict({
  error: z.enum(["invalid_request", "invalid_client", "unsupported_grant_type", "invalid_scope"]),
  error_description: z.string(),
});
export type OAuthError = z.infer<typeof oauthErrorSchema>;
