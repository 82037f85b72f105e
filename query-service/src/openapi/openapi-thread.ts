import { hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { openApiDocument } from "@travel-booking/api-contract/openapi";
import { changelogPage } from "./changelog-page.ts";
import type { MadeText, OpenApiTexts } from "./openapi-texts.ts";
import { SCRIPT, STYLE } from "./page.ts";
import { postmanCollection } from "./postman.ts";
import { referencePage } from "./reference-page.ts";
import { yaml } from "./yaml.ts";

/** @param style, script contents of the elements. The page sends requests only to this service, and is not framed. */
function policy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    `script-src 'sha256-${hash("sha256", script, "base64")}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function asPage(text: string): MadeText {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy(STYLE, SCRIPT),
    "Referrer-Policy": "no-referrer",
  };
  return { text, headers };
}

function asFile(text: string, type: string, name: string): MadeText {
  return { text, headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` } };
}

const JSON_TYPE = "application/json; charset=utf-8";
const document = openApiDocument(workerData as { readonly rateLimited: boolean });
const postman = JSON.stringify(postmanCollection(document), null, 2);
const texts: OpenApiTexts = {
  document: { text: JSON.stringify(document), headers: {} },
  reference: asPage(referencePage(document)),
  changelog: asPage(changelogPage()),
  yaml: asFile(yaml(document), "application/yaml; charset=utf-8", "openapi.yaml"),
  postman: asFile(postman, JSON_TYPE, "travel-booking.postman_collection.json"),
};
parentPort?.postMessage(texts);
