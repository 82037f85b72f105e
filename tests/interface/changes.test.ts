import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import type { HeaderObject, ResponseObject, Schema } from "@travel-booking/api-contract";
import { RELEASES } from "@travel-booking/api-contract/changes";
import { openApiDocument } from "@travel-booking/api-contract/openapi";

const ROOT = path.resolve(import.meta.dirname, "../..");
const { paths, webhooks, components } = openApiDocument({ rateLimited: true });

/** What the interface has: operations and their parameters, errors, types of events, fields of schemas. */
function interfaceNames(): readonly string[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const parameters = operations.flatMap((operation) =>
    operation.parameters.flatMap((each) => ("$ref" in each ? [] : [`${operation.operationId} ${each.name}`])),
  );
  const answers = [...operations, components].flatMap(({ responses }) => Object.values(responses));
  const codes = answers.flatMap((answer) => {
    const header = (answer as ResponseObject).headers?.["Service-Error-Code"] as HeaderObject | undefined;
    return (header?.schema as Schema | undefined)?.enum ?? [];
  });
  const fields = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.keys(properties).map((field) => `${name} ${field}`),
  );
  const ids = operations.map(({ operationId }) => operationId);
  return [...new Set([...ids, ...parameters, ...codes, ...Object.keys(webhooks), ...fields])];
}

/** Those of 1.0.0. */
const first = new Set(fs.readFileSync(path.join(import.meta.dirname, "kit/first-release.txt"), "utf8").split("\n"));

test("the changelog tells of everything that has come since the first release, and of nothing that is not there", () => {
  const told = new Set(RELEASES.flatMap(({ additions }) => additions.join().match(/(?<=`)[\w.]+(?=`)/g) ?? []));
  const old = new Set([...first].map((name) => name.split(" ")[0]));
  const names = interfaceNames();
  // What is new itself is told as a whole.
  const untold = names.filter((name) => {
    const [owner = "", part] = name.split(" ");
    return !first.has(name) && !told.has(part ?? owner) && (part === undefined || old.has(owner));
  });
  expect(untold).toStrictEqual([]);
  const known = new Set([...names.flatMap((name) => name.split(" ")), "CORS_ORIGINS"]);
  expect([...told].filter((name) => !known.has(name))).toStrictEqual([]);
});

test("its newest release is the version that the service has", () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
  expect(RELEASES[0]?.release).toBe(version);
  const days = RELEASES.map(({ day }) => day);
  expect(days).toStrictEqual(days.toSorted().reverse());
});
