import { expect, test } from "@jest/globals";
import { operations } from "@travel-booking/api-contract";
import { RELEASES } from "@travel-booking/api-contract/changes";
import { openApiDocument } from "@travel-booking/api-contract/openapi";
import { parse } from "yaml";
import { changelogPage } from "../src/openapi/changelog-page.ts";
import { postmanCollection } from "../src/openapi/postman.ts";
import { yaml } from "../src/openapi/yaml.ts";

const document = openApiDocument({ rateLimited: true });

test.each(["1.1", "1.2"] as const)("the description as YAML says the same in YAML %s", (version) => {
  expect(parse(yaml(document), { version, schema: version === "1.1" ? "yaml-1.1" : "core" })).toStrictEqual(
    JSON.parse(JSON.stringify(document)),
  );
});

test("what YAML takes for something else stays a text", () => {
  const texts = [
    "yes",
    "No",
    "null",
    "1e3",
    "12:30",
    "2026-01-01",
    "",
    " a",
    "a: b",
    "# a",
    "a\n\nb",
    "\na",
    "a\n",
    "~",
    "é\u0085",
  ];
  expect(parse(yaml(texts), { version: "1.1", schema: "yaml-1.1" })).toStrictEqual(texts);
});

interface Folder {
  readonly item: readonly { readonly request: { readonly method: string; readonly url: { readonly raw: string } } }[];
}

test("the collection has each operation once, under the address and the key of the reader", () => {
  const { item, auth, variable } = JSON.parse(JSON.stringify(postmanCollection(document)));
  const requests = (item as Folder[]).flatMap((folder) => folder.item).map(({ request }) => request);
  const addressed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  expect(requests.map(({ method, url }) => `${method} ${url.raw}`).sort()).toStrictEqual(addressed.sort());
  expect(auth.apikey[1].value).toBe("{{apiKey}}");
  expect((variable as { key: string }[]).map(({ key }) => key)).toStrictEqual(["baseUrl", "apiKey"]);
});

test("the changelog names operations that exist, and leads to each", () => {
  const known = new Set(operations.map(({ id }) => id));
  const named = RELEASES.flatMap(({ additions }) => additions).flatMap(
    (text) => text.match(/(?<=`)(?:get|list|create|cancel)[A-Z]\w+(?=`)/g) ?? [],
  );
  expect(named.filter((id) => !known.has(id))).toStrictEqual([]);
  const page = changelogPage();
  expect(named.filter((id) => !page.includes(`href="/docs#${id}"`))).toStrictEqual([]);
});
