import type { z } from "zod";
import { type Subject, toProblems } from "../src/index.ts";

/** What a schema finds wrong with a value; none for a good one. */
export function problemsWith(schema: z.ZodType, value: unknown, subject: Subject = "body"): string[] {
  const result = schema.safeParse(value);
  return result.success ? [] : toProblems(result.error, subject);
}
