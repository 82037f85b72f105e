import { STATUS_CODES } from "node:http";
import type { Operation } from "../operation.ts";
import { operations } from "../operations.ts";
import { COMMON_CODES, errorCodesOf, KEY_CODES } from "./of-operation.ts";
import { ERROR_REASONS, type ErrorCode, type ErrorStatus, type Reason } from "./reasons.ts";

const HEAD = `# Errors

Every error has the header \`Service-Error-Code\`. Programs branch on it and on the status; \`message\` is for people and may change.
Which codes an operation may answer, the interface description lists (\`GET /v1/openapi.json\`). A code is never renamed; new ones may come,
so treat an unknown one by its status.
`;

/** `docs/errors.md`: each code with its cause, its cure, and the operations that answer with it. */
export function errorsPage(): string {
  const chapters = Object.entries(ERROR_REASONS).map(([text, reasons]) => {
    const status = Number(text) as ErrorStatus;
    const rows = Object.entries<Reason>(reasons).map(([code, [cause, cure]]) => {
      const where = whereAnswered(status, code as ErrorCode);
      return `| \`${code}\` | ${cause} | ${cure} | ${where} |`;
    });
    const table = ["| code | cause | cure | where |", "| ---- | ----- | ---- | ----- |", ...rows].join("\n");
    return `## ${status} ${STATUS_CODES[status]}\n\n${table}\n`;
  });
  return [HEAD, ...chapters].join("\n");
}

function whereAnswered(status: ErrorStatus, code: ErrorCode): string {
  const isIn = (codes: { readonly [Status in ErrorStatus]?: readonly ErrorCode[] }) =>
    codes[status]?.includes(code) === true;
  if (isIn(COMMON_CODES)) return "everywhere";
  if (isIn(KEY_CODES)) return "with `Idempotency-Key`";
  const answers = (operation: Operation) => errorCodesOf(operation).get(status)?.includes(code) === true;
  const ids = operations.filter(answers).map(({ id }) => id);
  return ids.length === 0 ? "no operation" : ids.join(", ");
}
