import { z } from "zod";
import { strict } from "../fields/objects.ts";
import { phrase } from "../fields/phrase.ts";

export const DEFAULT_LIMIT = 20;

export const pageInfoSchema = strict({ nextCursor: z.string({ error: phrase }).nullable(), hasMore: z.boolean() });
export type PageInfo = z.infer<typeof pageInfoSchema>;

/** The answer of a list endpoint. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return strict({ data: z.array(item), page: pageInfoSchema });
}

const limit = z
  .string({ error: phrase })
  .regex(/^(?:[1-9]\d?|100)$/, "must be a whole number from 1 to 100")
  .transform(Number)
  .default(DEFAULT_LIMIT)
  .meta({ type: "integer", minimum: 1, maximum: 100 });

const cursor = z.string({ error: phrase }).min(1, "must not be blank").max(2_048, "must have at most 2048 characters");

/** The query parameters of every list endpoint that pages. */
export const pageParameters = { limit, cursor: cursor.optional() };
export const pageQuerySchema = strict(pageParameters);
export type PageQuery = z.infer<typeof pageQuerySchema>;
