import fs from "node:fs";
import path from "node:path";
import { openApiDocument } from "@travel-booking/api-contract/openapi";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import ts from "typescript";

/** Where they are written to; the test that compares names another file. */
const [target = path.resolve(import.meta.dirname, "../src/generated.ts")] = process.argv.slice(2);

/** The types of the interface description. Bytes are a `Blob`; every schema is exported under its name. */
async function generatedTypes(): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(whatTheClientUses()), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    transform: ({ format, const: constant }) => {
      if (format === "binary") return ts.factory.createTypeReferenceNode(ts.factory.createIdentifier("Blob"));
      return constant === null ? ts.factory.createLiteralTypeNode(ts.factory.createNull()) : undefined;
    },
  });
  return COMMENT_HEADER + astToString(nodes);
}

/** Errors are classes of the client; it reads headers itself. */
function whatTheClientUses(): object {
  const { webhooks: _, ...document } = openApiDocument({ rateLimited: false });
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
    operation.responses = Object.fromEntries(successes.map(([status, answer]) => [status, { ...answer, headers: {} }]));
  }
  const { headers: _headers, responses: _responses, ...components } = document.components;
  return { ...document, components };
}

fs.writeFileSync(target, await generatedTypes());
