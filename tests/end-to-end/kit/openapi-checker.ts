import type { OpenApiDocument, Reference, ResponseObject } from "@travel-booking/api-contract";
import { SchemaChecks } from "../../support/open-api/schema-checks.ts";
import { withoutAdditionalProperties } from "../../support/open-api/without-additional-properties.ts";
import { escaped, findOperation, type MatchedOperation } from "./find-operation.ts";

const known = new Map<string, Promise<OpenApiChecker>>();

/** The interface a service publishes, as it is served. */
export class OpenApiChecker {
  readonly document: OpenApiDocument;
  /** Requests as they are published; answers without any field that is not. */
  readonly #checks: SchemaChecks;

  constructor(document: OpenApiDocument) {
    this.document = document;
    this.#checks = new SchemaChecks(withoutAdditionalProperties(document) as object);
  }

  /** Fetched once for each service. */
  static of(baseUrl: string): Promise<OpenApiChecker> {
    const published = known.get(baseUrl) ?? fetched(baseUrl);
    known.set(baseUrl, published);
    // Whoever asks next asks anew.
    published.catch(() => known.delete(baseUrl));
    return published;
  }

  find(method: string, path: string): MatchedOperation | undefined {
    return findOperation(this.document, method, path);
  }

  /** The documented answer of an operation with this status, with where it stands. */
  answer(
    { operation, pointer }: MatchedOperation,
    status: number,
  ): { answer: ResponseObject; pointer: string } | undefined {
    const answer = operation.responses[status];
    if (answer === undefined) return undefined;
    return this.#resolved(answer, `${pointer}/responses/${status}`);
  }

  #resolved<Value extends object>(value: Value | Reference, pointer: string) {
    if (!("$ref" in value)) return { answer: value as Value, pointer };
    const target = value.$ref.slice(1);
    return { answer: this.#at(target) as Value, pointer: target };
  }

  /** What a reference leads to, or the value itself. */
  resolve<Value extends object>(value: Value | Reference): Value {
    return this.#resolved(value, "").answer;
  }

  #at(pointer: string): unknown {
    const steps = pointer.split("/").slice(1);
    return steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], this.document);
  }

  bodyProblem(pointer: string, type: string, body: unknown): string | undefined {
    return this.#checks.problem(`${pointer}/content/${escaped(type)}/schema`, body);
  }

  schemaProblem(pointer: string, value: unknown): string | undefined {
    return this.#checks.problem(pointer, value);
  }

  /** @param value as the header was sent. */
  headerProblem(pointer: string, name: string, value: string, header: { $ref?: string; schema?: unknown }) {
    const at = header.$ref === undefined ? `${pointer}/headers/${escaped(name)}` : header.$ref.slice(1);
    const schema = (header.$ref === undefined ? header.schema : (this.#at(at) as { schema: unknown }).schema) as {
      readonly type?: string;
    };
    return this.#checks.problem(`${at}/schema`, schema.type === "integer" ? Number(value) : value);
  }
}

async function fetched(baseUrl: string): Promise<OpenApiChecker> {
  const response = await fetch(`${baseUrl}/v1/openapi.json`);
  if (response.status !== 200) throw new Error(`the interface description was answered ${response.status}`);
  return new OpenApiChecker((await response.json()) as OpenApiDocument);
}
