import { MAX_HEADER, MAX_ID, MAX_IDEMPOTENCY_KEY, MAX_REQUEST_ID } from "../limits.ts";
import { API_VERSIONS, type Operation } from "../operation.ts";
import type { Schemas } from "./schemas.ts";
import type { ParameterObject, Reference, Schema } from "./types.ts";

/** What an id stands for, by the segment of the path before it. */
const NOUNS: Readonly<Record<string, string>> = {
  bookings: "booking",
  disruptions: "disruption",
  destinations: "destination",
  documents: "document",
  events: "event",
  flights: "flight",
  passengers: "saved passenger",
  payments: "payment",
  "seat-holds": "seat hold",
  "webhook-endpoints": "webhook endpoint",
};

export const headerParameters = {
  ServiceVersion: {
    name: "Service-Version",
    in: "header",
    required: false,
    description: "The version of the API to be answered in; unless told, the one of when the account was made.",
    schema: { type: "string", enum: [...API_VERSIONS], maxLength: API_VERSIONS[0].length },
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description: `An id of the client's own for this request: up to ${MAX_REQUEST_ID} letters, digits, dots, hyphens and underscores. Any other is replaced.`,
    schema: { type: "string", maxLength: MAX_HEADER },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "One key per change that is to be made once, and the same key on every retry of it. It is kept for 24 hours: the same key with the same request has the first answer again.",
    schema: { type: "string", minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
  },
  RequiredIdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "One key per payment, and the same key on every retry of it: the same key with the same request has the first answer again and never charges twice. It is kept for 24 hours. After a declined charge, the next payment takes another key.",
    schema: { type: "string", minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "The `ETag` of an answer the client has: 304 where that is still the answer.",
    schema: { type: "string", maxLength: MAX_HEADER },
  },
} satisfies Record<string, ParameterObject>;

const named = (name: keyof typeof headerParameters): Reference => ({ $ref: `#/components/parameters/${name}` });

/** The parameters and headers of a request. */
export function parametersOf(operation: Operation, schemas: Schemas): (ParameterObject | Reference)[] {
  const { idempotencyKey, success } = operation;
  const parameters: (ParameterObject | Reference)[] = [...inPath(operation), ...inQuery(operation, schemas)];
  if (idempotencyKey !== undefined) {
    parameters.push(named(idempotencyKey === "required" ? "RequiredIdempotencyKey" : "IdempotencyKey"));
  }
  if (success.tagged === true) parameters.push(named("IfNoneMatch"));
  return [...parameters, named("ServiceVersion"), named("RequestId")];
}

function inPath({ path }: Operation): ParameterObject[] {
  const segments = path.split("/");
  return segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return [];
    const noun = NOUNS[segments[index - 1] ?? ""];
    if (noun === undefined) throw new Error(`what ${segment} of ${path} identifies is not known`);
    return [
      {
        name,
        in: "path",
        required: true,
        description: `Identifies the ${noun}.`,
        schema: { type: "string", minLength: 1, maxLength: MAX_ID },
      },
    ];
  });
}

function inQuery({ id, query }: Operation, schemas: Schemas): ParameterObject[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemas.request(query);
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, ...schema } = property as Schema;
    if (description === undefined) throw new Error(`the parameter ${name} of ${id} has no description`);
    const example = examples?.[0];
    const parameter = { name, in: "query" as const, required: required.includes(name), description, schema };
    return example === undefined ? parameter : { ...parameter, example };
  });
}
