import type { Operation } from "../operation.ts";
import { examplesOf } from "./examples.ts";
import { parametersOf } from "./parameters.ts";
import { type ResponseOptions, responsesOf } from "./responses.ts";
import { securityOf } from "./security.ts";
import type { OperationObject, RequestBodyObject } from "./types.ts";

const BODY_TYPES = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
} as const;

/** An operation as it is published. */
export function operationObject(operation: Operation, options: ResponseOptions): OperationObject {
  const { id, tag, summary, deprecated, beta } = operation;
  const requestBody = requestBodyOf(operation, options);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: describe(operation),
    ...(deprecated !== undefined && { deprecated: true as const }),
    ...(beta === true && { "x-beta": true as const }),
    security: securityOf(operation),
    parameters: parametersOf(operation, options.schemas),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf(operation, options),
  };
}

function describe({ summary, description, scope, deprecated, beta, idempotencyKey }: Operation): string {
  const sentences = [description ?? `${summary}.`];
  if (beta === true) sentences.push("**Beta**: it may still change in ways that break a client.");
  if (deprecated !== undefined) {
    const { since, sunset, successor } = deprecated;
    sentences.push(`**Deprecated** since ${since}, may be gone from ${sunset} on: use \`${successor}\` instead.`);
  }
  if (idempotencyKey === "required") sentences.push("An `Idempotency-Key` is required.");
  sentences.push(scope === null ? "Needs no credential." : `Needs the scope \`${scope}\`.`);
  return sentences.join("\n\n");
}

function requestBodyOf(operation: Operation, { schemas }: ResponseOptions): RequestBodyObject | undefined {
  const { id, body, bodyType = "json", bodyOptional } = operation;
  if (body === undefined) return undefined;
  const examples = examplesOf(id).request;
  const media = { schema: schemas.request(body), ...(examples !== undefined && { examples }) };
  return {
    description: bodyOptional === true ? "May be left out." : "Must be sent.",
    required: bodyOptional !== true,
    content: { [BODY_TYPES[bodyType]]: media },
  };
}
