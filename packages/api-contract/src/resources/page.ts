import { z } from "zod";
import { integerParameter, text } from "../fields.ts";

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
const MAX_CURSOR = 2_048;

const pageInfoSchema = z
  .strictObject({
    nextCursor: z
      .string()
      .meta({ maxLength: MAX_CURSOR })
      .nullable()
      .describe("The `cursor` of the next page; null on the last one."),
    hasMore: z.boolean().describe("Whether more entries follow."),
  })
  .meta({ id: "PageInfo", description: "Where a page of a list stands." });
export type PageInfo = z.infer<typeof pageInfoSchema>;

/** The answer of a list endpoint. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item).max(MAX_LIMIT).describe("The entries of this page."),
    page: pageInfoSchema,
  });
}

/** The query parameters of every list endpoint that has pages. */
export const pageParameters = {
  limit: integerParameter({
    min: 1,
    max: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: "How many entries a page has at most.",
  }),
  cursor: text({ max: MAX_CURSOR, blank: "refused" })
    .describe("The previous page's `nextCursor`; left out for the first page. It goes with the same filters.")
    .optional(),
};
export const pageQuerySchema = z.strictObject(pageParameters);
export type PageQuery = z.infer<typeof pageQuerySchema>;
