import fs from "node:fs";
import { expect, test } from "@jest/globals";
import { ERROR_REASONS, type ErrorStatus, errorCodesOf, operations } from "@travel-booking/api-contract";
import { errorsPage } from "@travel-booking/api-contract/errors-page";

const PAGE = new URL("../../docs/errors.md", import.meta.url);
/** Only a path without an operation, the reverse proxy, `/health/ready` or a payment gateway gets them. */
const OF_NO_OPERATION = [
  "400 forged_event",
  "404 path_not_found",
  "405 method_not_allowed",
  "502 outcome_unknown",
  "503 not_ready",
  "504 outcome_unknown",
];

test("docs/errors.md is what `npm run generate -w packages/api-contract` writes", () => {
  expect(fs.readFileSync(PAGE, "utf8")).toBe(errorsPage());
});

test("every code is one of an operation", () => {
  const listed = new Set(
    operations.flatMap((operation) =>
      [...errorCodesOf(operation)].flatMap(([status, codes]) => codes.map((code) => `${status} ${code}`)),
    ),
  );
  const all = Object.entries(ERROR_REASONS).flatMap(([status, reasons]) =>
    Object.keys(reasons).map((code) => `${status} ${code}`),
  );
  expect(all.filter((code) => !listed.has(code)).sort()).toStrictEqual(OF_NO_OPERATION);
});

test("codes are in lower snake case; causes and cures are sentences", () => {
  for (const status of Object.keys(ERROR_REASONS).map(Number)) {
    for (const [code, sentences] of Object.entries(ERROR_REASONS[status as ErrorStatus])) {
      expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[^.]\.$/);
    }
  }
});
