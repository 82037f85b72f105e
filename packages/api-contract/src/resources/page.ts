import { z } from "zod";
import { strictObject } from "../fields/objects.ts";
import { validationMessage } from "../fields/validation-message.ts";

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
const MAX_CURSOR = 2_048;

export const pageInfoSchema = strictObject({
  nextCursor: z
    .string({ error: validationMessage })
    .meta({ maxLength: MAX_CURSOR })
    .nullable()
    .describe("The `cursor` of the next page; null on the last one."),
  hasMore: z.boolean().describe("Whether more entries follow."),
}).meta({ id: "PageInfo", description: "Where a page of a list stands." });
export type PageInfo = z.infer<typeof pageInfoSchema>;

/** The answer of a list endpoint. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return strictObject({
    data: z.array(item).max(MAX_LIMIT).describe("The entries of this page."),
    page: pageInfoSchema,
  });
}

const limit = z
  .string({ error: validationMessage })
  .regex(/^(?:[1-9]\d?|100)$/, `must be a whole number from 1 to ${MAX_LIMIT}`)
  .transform(Number)
  .default(DEFAULT_LIMIT)
  .meta({
    type: "integer",
    format: "int32",
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: "How many entries a page has at most.",
  });

const cursor = z
  .string({ error: validationMessage })
  .min(1, "must not be blank")
  .max(MAX_CURSOR, `must have at most ${MAX_CURSOR} characters`)
  .describe("The previous page's `nextCursor`; left out for the first page. It goes with the same filters.");

/** The query parameters of every list endpoint that pages. */
export const pageParameters = { limit, cursor: cursor.optional() };
export const pageQuerySchema = strictObject(pageParameters);
export type PageQuery = z.infer<typeof pageQuerySchema>;
