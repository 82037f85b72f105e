import { OperatorRefused } from "./client/errors.ts";
import type { Row } from "./output/table.ts";

function unexpectedResponse(value: unknown): OperatorRefused {
  return new OperatorRefused([`an answer of an unexpected shape: ${JSON.stringify(value)}`]);
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The one object an answer holds. */
export function row(answer: unknown): Row {
  if (!isRow(answer)) throw unexpectedResponse(answer);
  return answer;
}

/** The rows of a list answer, `{ data: [...] }`. */
export function rows(answer: unknown): readonly Row[] {
  const data = row(answer).data;
  if (!Array.isArray(data) || !data.every(isRow)) throw unexpectedResponse(answer);
  return data;
}
