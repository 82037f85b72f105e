import type { OpenApiDocument, OperationObject, ParameterObject } from "@travel-booking/api-contract";
import { resolve } from "./resolve.ts";

const CONTINUED = " \\\n  ";

/** A request as a command to paste: `BASE` and `KEY` are the reader's own. */
export function curl(document: OpenApiDocument, method: string, path: string, operation: OperationObject): string {
  const parameters = operation.parameters.map((parameter) => resolve<ParameterObject>(document, parameter));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const parts = [`curl "$BASE${filled}"`];
  const hasBody = operation.requestBody !== undefined;
  if (!(method === "get" || (method === "post" && hasBody)))
    parts[0] = `curl -X ${method.toUpperCase()} "$BASE${filled}"`;
  if (operation.security.some((requirement) => "ApiKey" in requirement)) parts.push(`-H "x-api-key: $KEY"`);
  if (parameters.some(({ name, required }) => name === "Idempotency-Key" && required)) {
    parts.push('-H "Idempotency-Key: $(uuidgen)"');
  }
  return [...parts, ...body(operation)].join(CONTINUED);
}

function body({ requestBody }: OperationObject): readonly string[] {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (type === "multipart/form-data") return ["-F file=@passport.pdf"];
  const value = Object.values(media?.examples ?? {})[0]?.value;
  if (type === undefined || value === undefined) return [];
  if (type === "application/x-www-form-urlencoded") {
    return Object.entries(value as object).map(([name, field]) => `-d ${name}=${String(field)}`);
  }
  return [`-H "Content-Type: ${type}"`, `-d '${JSON.stringify(value, null, 2).replaceAll("\n", "\n  ")}'`];
}
