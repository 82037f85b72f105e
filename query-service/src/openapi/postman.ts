import type { OpenApiDocument, OperationObject, ParameterObject } from "@travel-booking/api-contract";
import { resolve } from "./fields.ts";
import { type AddressedOperation, type SentBody, sentBody } from "./samples.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** The description as a collection of Postman (v2.1): a folder for each chapter, requests with their examples, a key for all. */
export function postmanCollection(document: OpenApiDocument): object {
  const { info, tags, paths } = document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  const folders = tags.map(({ name, description }) => ({
    name,
    description,
    item: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map((addressed) => requestItem(document, addressed)),
  }));
  return {
    info: { name: info.title, description: info.description, version: info.version, schema: SCHEMA },
    auth: { type: "apikey", apikey: attributes({ key: "x-api-key", value: "{{apiKey}}", in: "header" }) },
    variable: [
      { key: "baseUrl", value: "http://127.0.0.1:3000" },
      { key: "apiKey", value: "" },
    ],
    item: folders.filter(({ item }) => item.length > 0),
  };
}

function requestItem(document: OpenApiDocument, { method, path, operation }: AddressedOperation): object {
  const parameters = operation.parameters.map((parameter) => resolve<ParameterObject>(document, parameter));
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const body = sentBody(operation);
  const query = of("query").map(({ name, description, required }) => ({
    key: name,
    value: "",
    description,
    disabled: required !== true,
  }));
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .split("/");
  const header = [
    ...(of("header").some(({ name, required }) => name === "Idempotency-Key" && required)
      ? [{ key: "Idempotency-Key", value: "{{$guid}}" }]
      : []),
    ...(body?.kind === "json" ? [{ key: "Content-Type", value: "application/json" }] : []),
  ];
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      ...(needsNone(operation) && { auth: { type: "noauth" } }),
      header,
      url: {
        raw: `{{baseUrl}}/${segments.join("/")}`,
        host: ["{{baseUrl}}"],
        path: segments,
        query,
        variable: of("path").map(({ name, description }) => ({ key: name, value: "", description })),
      },
      ...(body !== undefined && { body: postmanBody(body) }),
    },
  };
}

const needsNone = ({ security }: OperationObject) => security.every((requirement) => !("ApiKey" in requirement));

const attributes = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([key, value]) => ({ key, value, type: "string" }));

function postmanBody(body: SentBody): object {
  if (body.kind === "file") return { mode: "formdata", formdata: [{ key: "file", type: "file", src: [] }] };
  if (body.kind === "json") return { mode: "raw", raw: body.text, options: { raw: { language: "json" } } };
  return {
    mode: "urlencoded",
    urlencoded: Object.entries(body.fields).map(([key, value]) => ({ key, value, type: "text" })),
  };
}
