import { z } from "zod";
import { strict } from "../fields/objects.ts";
import { phrase } from "../fields/phrase.ts";

const parameter = z
  .string({ error: phrase })
  .min(1, "must not be blank")
  .max(1_024, "must have at most 1024 characters");

/**
 * RFC 6749 §4.4.2. Unknown parameters are ignored (§3.2). Only `grant_type` is required by the shape: the client's
 * credentials may come by HTTP Basic instead.
 */
export const tokenRequestSchema = z.object(
  {
    grant_type: parameter,
    client_id: parameter.optional(),
    client_secret: parameter.optional(),
    scope: z.string({ error: phrase }).max(1_024, "must have at most 1024 characters").optional(),
  },
  { error: phrase },
);
export type TokenRequest = z.infer<typeof tokenRequestSchema>;

export const tokenSchema = strict({
  token_type: z.literal("Bearer"),
  access_token: z.string(),
  /** Seconds. */
  expires_in: z.int(),
  /** Space-separated. */
  scope: z.string(),
});
export type TokenBody = z.infer<typeof tokenSchema>;
