import { toProblems, validationMessage } from "@travel-booking/api-contract";
import { OperatorError } from "@travel-booking/http/operator";
import type { ZodType } from "zod";

/** @throws OperatorError 400 with one line per problem. */
export function parse<Value>(schema: ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body ?? {}, { error: validationMessage });
  if (!parsed.success) throw new OperatorError(400, ...toProblems(parsed.error));
  return parsed.data;
}
