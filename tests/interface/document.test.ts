import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import {
  type ExampleObject,
  type OperationObject,
  operations,
  type ResponseObject,
  TAGS,
} from "@travel-booking/api-contract";
import { openApiDocument } from "@travel-booking/api-contract/openapi";
import { PUBLIC_EVENT_TYPES } from "@travel-booking/domain";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { SchemaChecks } from "../support/open-api/schema-checks.ts";

const document = openApiDocument({ rateLimited: true });
const unlimited = openApiDocument({ rateLimited: false });

/** The schemas of the OpenAPI Initiative, as Spectral brings them. */
const SCHEMAS = path.resolve(import.meta.dirname, "../../node_modules/@stoplight/spectral-rulesets/dist/oas/schemas");
const DRAFT = ["json-schema/draft-2020-12/index.json", "json-schema/draft-2020-12/validation.json"];
const read = (name: string) => JSON.parse(fs.readFileSync(path.join(SCHEMAS, name), "utf8")) as object;

/** Every media type of the document that has examples, with where its schema stands. */
function examples(value: unknown, pointer = ""): { at: string; schema: string; value: unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  const media = value as { schema?: object; examples?: Record<string, ExampleObject> };
  const own =
    media.schema !== undefined && media.examples !== undefined && !Array.isArray(media.examples)
      ? Object.entries(media.examples).map(([name, example]) => ({
          at: `${pointer} ${name}`,
          schema: `${pointer}/schema`,
          value: example.value,
        }))
      : [];
  const inside = Object.entries(value).flatMap(([name, inner]) =>
    name === "examples" ? [] : examples(inner, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [...own, ...inside];
}

describe("the document", () => {
  test("is OpenAPI 3.1, by the schema of OpenAPI", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addFormat("media-range", true);
    for (const name of [...DRAFT, "oas/v3.1/meta.schema.json", "oas/v3.1/dialect.schema.json"])
      ajv.addSchema(read(name));
    const validate = ajv.compile(read("oas/v3.1/index.json"));
    for (const made of [document, unlimited]) {
      validate(made);
      expect(validate.errors ?? []).toStrictEqual([]);
    }
  });

  test("says which version of the interface it describes", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.info.version).toBe("1.0.0");
    expect(document.servers.map(({ url }) => url)).toStrictEqual(["/"]);
  });

  test("has every operation, and no other", () => {
    const published = Object.entries(document.paths).flatMap(([template, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${template}`),
    );
    expect(published.sort()).toStrictEqual(
      operations.map(({ id, method, path: at }) => `${id} ${method} ${at}`).sort(),
    );
  });

  test("has a webhook for each type of event", () => {
    expect(Object.keys(document.webhooks)).toStrictEqual(PUBLIC_EVENT_TYPES);
  });

  test.each([
    ["", document],
    [" without a limit", unlimited],
  ])("has no component that nothing refers to%s", (_, { components, ...rest }) => {
    const { securitySchemes: _schemes, ...referable } = components;
    const text = JSON.stringify({ components, ...rest });
    const pointers = Object.entries(referable).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect(pointers.filter((pointer) => !text.includes(`"$ref":"${pointer}"`))).toStrictEqual([]);
  });

  test("names what takes no credential in its guide", () => {
    const open = operations.filter(({ scope }) => scope === null).map(({ id }) => id);
    expect(open).toStrictEqual(["exchangeToken", "getBoardingPassKeys", "getInterface"]);
    expect(document.info.description.replaceAll("\n", " ")).toContain(
      "Every operation but three takes one credential: an API key in `x-api-key`, or an access token in `Authorization: Bearer …`. None is taken by the token endpoint, by this description and by the public keys of boarding passes.",
    );
  });

  test("is the same every time it is made", () => {
    const again = openApiDocument({ rateLimited: true });
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
  });

  test("marks what is deprecated and what is beta", () => {
    expect(document.paths["/v1/flights/search"]?.get?.deprecated).toBe(true);
    expect(document.paths["/v1/bookings/{id}/documents"]?.post?.["x-beta"]).toBe(true);
    const marked = Object.values(document.paths).flatMap((item) =>
      Object.values(item).filter((operation) => operation.deprecated === true || operation["x-beta"] === true),
    );
    expect(marked).toHaveLength(2);
  });
});

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
  const published = document.paths[operation.path]?.[operation.method.toLowerCase()];

  test("has every status it may answer, with the headers of a counted request", () => {
    const common = operation.scope === null ? [] : ["400", "401", "403"];
    const own = Object.keys(operation.errors ?? {});
    const keyed = operation.idempotencyKey === undefined ? [] : ["409", "422"];
    const all = [String(operation.success.status), ...common, ...own, ...keyed, "500", "503"];
    expect(Object.keys(published?.responses ?? {})).toStrictEqual(expect.arrayContaining(all));
    if (operation.scope === null) return;
    const answer = published?.responses[operation.success.status] as ResponseObject | undefined;
    expect(Object.keys(answer?.headers ?? {})).toStrictEqual(
      expect.arrayContaining(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Service-Version"]),
    );
  });

  test("names its scope", () => {
    const expected = operation.scope === null ? [{}] : [{ ApiKey: [] }, { AccessToken: [operation.scope] }];
    expect(published?.security).toStrictEqual(expected);
  });

  test("has examples of what is sent and answered", () => {
    const jsonBody = operation.body !== undefined && operation.bodyType !== "multipart";
    const sent = Object.values(published?.requestBody?.content ?? {}).some((media) => media.examples !== undefined);
    expect(sent).toBe(jsonBody);
    if (operation.success.body === null || operation.id === "getInterface") return;
    const answer = published?.responses[operation.success.status] as ResponseObject | undefined;
    expect(answer?.content?.["application/json"]?.examples).toBeDefined();
  });

  test("stands in a chapter there is", () => {
    expect(published?.tags.every((tag) => tag in TAGS)).toBe(true);
  });
});

describe("every example is of its schema", () => {
  const checks = new SchemaChecks(document);

  test.each(examples(document).map((example) => [example.at, example] as const))("%s", (_at, { schema, value }) => {
    expect(checks.problem(schema, value)).toBeUndefined();
  });
});

test("without a limit its headers are required of no answer", () => {
  const answer = unlimited.paths["/v1/flights"]?.get?.responses[200];
  expect(answer).toMatchObject({ headers: { "X-RateLimit-Limit": { required: false } } });
  expect(document.components.headers["X-RateLimit-Limit"]?.required).toBe(true);
});

test("requests are closed and answers open", () => {
  expect(document.components.schemas.CreateBooking?.additionalProperties).toBe(false);
  expect(document.components.schemas.PassportRequest?.additionalProperties).toBe(false);
  expect(document.components.schemas.Booking?.additionalProperties).toBeUndefined();
  expect(document.components.schemas.Passport?.additionalProperties).toBeUndefined();
});

test("generators of clients find webhooks apart from operations, and an expression of SPDX for the licence", () => {
  const tagsOf = (items: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>) =>
    Object.values(items).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags));
  const declared = document.tags.map(({ name }) => name);
  expect([...new Set(tagsOf(document.webhooks))]).toStrictEqual(["Webhooks"]);
  expect(declared).toContain("Webhooks");
  expect(tagsOf(document.paths)).not.toContain("Webhooks");
  expect(document.info.license).toStrictEqual({ name: "Proprietary", identifier: "LicenseRef-Proprietary" });
});

test("generators of clients find no type of null alone, no length but of texts, no two names that collide, and no choice by anyOf", () => {
  const text = JSON.stringify(document);
  const alone = [...text.matchAll(/"(\w+)":\{"type":"null"\}/g)].map(([found]) => found);
  expect(alone).toStrictEqual([]);
  expect(text).not.toMatch(/"type":"integer"[^{}]*"maxLength"/);
  const { PaymentThen, ErrorResponse } = document.components.schemas;
  expect(PaymentThen?.properties?.previousAttributes).toStrictEqual({ type: ["object", "null"], const: null });
  expect(ErrorResponse?.properties?.message).toMatchObject({ oneOf: [{ type: "string" }, { type: "array" }] });
  // Go calls what makes an X NewX.
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => names.includes(`New${name}`))).toStrictEqual([]);
  const upload = document.paths["/v1/bookings/{id}/documents"]?.post?.requestBody;
  expect(JSON.stringify(upload)).toMatch(/"format":"binary"(?!.*maxLength)/);
  const choices = [...text.matchAll(/"anyOf":(\[(?:\{[^{}]*\},?)*\])/g)].map(([, found = ""]) => JSON.parse(found));
  expect(choices.filter((found) => found.length !== 2 || found[1].type !== "null")).toStrictEqual([]);
});

test("generators of clients find names for words, bytes, and no field that is required for having a default", () => {
  const { schemas } = document.components;
  const withDefault = Object.entries(schemas).filter(([, { properties = {} }]) =>
    Object.values(properties).some((property) => "default" in property),
  );
  expect(withDefault).toStrictEqual([]);
  const unnamed = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([field, property]) =>
      "enum" in property && (property.enum?.length ?? 0) > 1 ? [`${name}.${field}`] : [],
    ),
  );
  expect(unnamed).toStrictEqual(["OAuthError.error"]);
  const pass = document.paths["/v1/bookings/{id}/boarding-pass"]?.get?.responses[200] as ResponseObject | undefined;
  expect(pass?.content?.["application/pdf"]?.schema).toMatchObject({ type: "string", format: "binary" });
  expect(schemas.ChangedBooking?.properties?.previousAttributes).toMatchObject({
    $ref: "#/components/schemas/PreviousBooking",
  });
  expect(schemas.PreviousBooking?.required).toBeUndefined();
});
