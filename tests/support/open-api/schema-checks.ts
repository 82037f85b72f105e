import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const DOCUMENT = "openapi.json";

/** Checks values against schemas inside an OpenAPI document, which are named by JSON pointers. */
export class SchemaChecks {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(document: object) {
    formats.default(this.#ajv);
    this.#ajv.addFormat("binary", true);
    this.#ajv.addSchema(document, DOCUMENT, undefined, false);
  }

  /** What is wrong with a value; undefined: nothing. */
  problem(pointer: string, value: unknown): string | undefined {
    const check = this.#checks.get(pointer) ?? this.#ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(pointer)}` });
    this.#checks.set(pointer, check);
    return check(value) ? undefined : this.#ajv.errorsText(check.errors);
  }
}
