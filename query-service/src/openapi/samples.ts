import type { OpenApiDocument, OperationObject, ParameterObject } from "@travel-booking/api-contract";
import { resolve } from "./fields.ts";

/** An operation with its address. */
export interface AddressedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** A request as a program would send it. The reader sets `BASE` and `KEY`. */
interface Sample {
  readonly language: string;
  readonly text: string;
}

/** The request that is sent, in any language. */
interface SentRequest {
  readonly method: string;
  /** The path, with `$NAME` in place of a parameter. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: SentBody | undefined;
}

export type SentBody =
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "form"; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: "file" };

/** The same request with curl, Node's `fetch`, and Python's requests. */
export function samplesOf(document: OpenApiDocument, addressed: AddressedOperation): readonly Sample[] {
  const request = sentRequest(document, addressed);
  return [
    { language: "curl", text: curl(request) },
    { language: "Node", text: node(request) },
    { language: "Python", text: python(request) },
  ];
}

/** What the page needs to send the request itself; undefined if the request uploads a file. */
export function trialOf(document: OpenApiDocument, addressed: AddressedOperation): object | undefined {
  const { method, headers, body } = sentRequest(document, addressed);
  if (body?.kind === "file") return undefined;
  const parameters = parametersOf(document, addressed.operation)
    .filter((parameter) => parameter.in !== "header")
    .map(({ name, in: location, required = false }) => ({ name, in: location, required }));
  return {
    method,
    path: addressed.path,
    parameters,
    // A payment needs a key, and its retries need the same one. So the key stays until the page is left.
    hasIdempotencyKey: headers.some(([name]) => name === "Idempotency-Key"),
    hasKey: headers.some(([name]) => name === "x-api-key"),
    isForm: body?.kind === "form",
    body: writtenBody(body),
  };
}

function writtenBody(body: SentBody | undefined): string | null {
  if (body === undefined || body.kind === "file") return null;
  return body.kind === "json" ? body.text : new URLSearchParams(body.fields).toString();
}

function sentRequest(document: OpenApiDocument, { method, path, operation }: AddressedOperation): SentRequest {
  const parameters = parametersOf(document, operation);
  const headers: [string, string][] = [];
  if (operation.security.some((requirement) => "ApiKey" in requirement)) headers.push(["x-api-key", "$KEY"]);
  if (parameters.some(({ name, required }) => name === "Idempotency-Key" && required)) {
    headers.push(["Idempotency-Key", "pay-$ID-1"]);
  }
  return {
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`),
    headers,
    body: sentBody(operation),
  };
}

function parametersOf(document: OpenApiDocument, operation: OperationObject): readonly ParameterObject[] {
  return operation.parameters.map((parameter) => resolve<ParameterObject>(document, parameter));
}

/** The first example of an operation's body. */
export function sentBody({ requestBody }: OperationObject): SentBody | undefined {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (type === "multipart/form-data") return { kind: "file" };
  const [example] = Object.values((media?.examples ?? {}) as Readonly<Record<string, { readonly value?: unknown }>>);
  if (type === undefined || example?.value === undefined) return undefined;
  const { value } = example;
  if (type !== "application/x-www-form-urlencoded") return { kind: "json", text: JSON.stringify(value, null, 2) };
  const fields = Object.entries(value as object).map(([name, field]) => [name, String(field)]);
  return { kind: "form", fields: Object.fromEntries(fields) };
}

function curl({ method, path, headers, body }: SentRequest): string {
  const isImplied = method === "GET" || (method === "POST" && body !== undefined);
  const parts = [`curl ${isImplied ? "" : `-X ${method} `}"$BASE${path}"`];
  for (const [name, value] of headers) parts.push(`-H "${name}: ${value}"`);
  if (body?.kind === "file") parts.push("-F file=@passport.pdf");
  if (body?.kind === "form") parts.push(...Object.entries(body.fields).map((pair) => `-d ${pair.join("=")}`));
  if (body?.kind === "json") {
    parts.push('-H "Content-Type: application/json"', `-d '${indented(body.text, "  ")}'`);
  }
  return parts.join(" \\\n  ");
}

/** Turns `$NAME` into a placeholder of JavaScript or, with `{`, of Python. */
const filled = (text: string, open: string) => text.replaceAll(/\$([A-Z]+)/g, (_, name: string) => `${open}${name}}`);

function node({ method, path, headers, body }: SentRequest): string {
  const sent = headers.map(([name, value]) => {
    const written = value.startsWith("$") ? value.slice(1) : `\`${filled(value, "${")}\``;
    return `    ${/^\w+$/.test(name) ? name : `"${name}"`}: ${written},`;
  });
  if (body?.kind === "json") sent.push('    "Content-Type": "application/json",');
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(sent.length === 0 ? [] : ["  headers: {", ...sent, "  },"]),
    ...(body?.kind === "json" ? [`  body: JSON.stringify(${indented(body.text, "  ")}),`] : []),
    ...(body?.kind === "form" ? [`  body: new URLSearchParams(${literal(body.fields, "  ")}),`] : []),
    ...(body?.kind === "file" ? ["  body: form,"] : []),
  ];
  const before =
    body?.kind === "file"
      ? 'const form = new FormData();\nform.set("file", await fs.openAsBlob("passport.pdf", { type: "application/pdf" }), "passport.pdf");\n'
      : "";
  return `${before}const response = await fetch(\`${filled(`$BASE${path}`, "${")}\`${options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`});
if (!response.ok) throw new Error(response.headers.get("service-error-code"));`;
}

function python({ method, path, headers, body }: SentRequest): string {
  const sent = headers.map(([name, value]) => {
    const written = value.startsWith("$") && !/[^$A-Z]/.test(value) ? value.slice(1) : `f"${filled(value, "{")}"`;
    return `        "${name}": ${written},`;
  });
  const given = [
    `    f"${filled(`$BASE${path}`, "{")}",`,
    ...(sent.length === 0 ? [] : ["    headers={", ...sent, "    },"]),
    ...(body?.kind === "json" ? [`    json=${indented(pythonLiteral(body.text), "    ")},`] : []),
    ...(body?.kind === "form" ? [`    data=${literal(body.fields, "    ")},`] : []),
    ...(body?.kind === "file" ? ['    files={"file": open("passport.pdf", "rb")},'] : []),
    "    timeout=30,",
  ];
  return `response = requests.${method.toLowerCase()}(\n${given.join("\n")}\n)\nif not response.ok:\n    raise RuntimeError(response.headers["Service-Error-Code"])`;
}

const pythonLiteral = (text: string) =>
  text.replaceAll(/: (true|false|null)(,?)$/gm, (_, word: string, comma: string) => {
    return `: ${{ true: "True", false: "False", null: "None" }[word]}${comma}`;
  });

const literal = (fields: object, by: string) => indented(JSON.stringify(fields, null, by), by);

const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);
