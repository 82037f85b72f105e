import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { ERROR_REASONS, type OpenApiDocument, type Reason, TAGS } from "@travel-booking/api-contract";
import { Html, html } from "@travel-booking/http/html";
import { fieldsOf } from "./fields.ts";
import { readGuides } from "./guides.ts";
import { inline, markdown, slug } from "./html.ts";
import { breakable, operationSection, webhookSection } from "./operation.ts";
import type { AddressedOperation } from "./samples.ts";

/** The content of the `<style>` element, byte for byte, because the content security policy has its hash. */
export const STYLE = readFileSync(new URL("style.css", import.meta.url), "utf8");

/** The content of the `<script>` element, likewise. */
export const SCRIPT = readFileSync(new URL("reference.js", import.meta.url), "utf8");

/** The order in which a customer of the API meets the chapters. In the document they are alphabetical. */
const JOURNEY = Object.keys(TAGS);

/** The OpenAPI document as one HTML page without external resources. It can be read without scripts. */
export function referencePage(document: OpenApiDocument): string {
  const { info, tags, webhooks, components } = document;
  const operations = addressedOperations(document);
  const guides = readGuides();
  const chapters = tags
    .toSorted((one, other) => JOURNEY.indexOf(one.name) - JOURNEY.indexOf(other.name))
    .map(({ name, description }) => ({
      name,
      description,
      operations: operations.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter((chapter) => chapter.operations.length > 0);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<p class="title"><a class="home" href="#content">${info.title}</a> <span class="version">${info.version}</span></p>
<label class="key" data-scripted hidden>API key <input id="key" type="password" autocomplete="off" placeholder="tbs_…"></label>
<p class="links"><a class="menu" href="#contents">Contents</a> <a class="raw" href="/v1/openapi.json">openapi.json</a></p>
</header>
<nav id="contents" aria-label="Contents">
<label class="search" data-scripted hidden>Search <kbd>/</kbd><input id="search" type="search" autocomplete="off"><output id="found" for="search"></output></label>
<ul>
<li><a href="#content">Conventions</a></li>
<li><a class="chapter" href="#guides">Guides</a><ul>
${guides.map(
  ({ id, title }) => html`<li><a href="#${id}"><span>${title}</span></a></li>
`,
)}</ul></li>
${chapters.map(
  ({ name, operations: listed }) => html`<li><a class="chapter" href="#${slug(name)}">${name}</a><ul>
${listed.map(({ method, operation }) => navigationItem(method, operation.operationId, operation.summary, operation.deprecated === true))}</ul></li>
`,
)}
<li><a class="chapter" href="#webhooks">Webhooks</a><ul>
${Object.entries(webhooks).map(([type, { post }]) => navigationItem("event", post.operationId, type, false))}</ul></li>
<li><a class="chapter" href="#errors">Errors</a></li>
<li><a class="chapter" href="#schemas">Schemas</a></li>
<li><a class="chapter" href="/v1/openapi.json">openapi.json</a></li>
</ul>
</nav>
<main id="content" tabindex="-1">
<section class="guide"><h1>${info.title}</h1>${markdown(info.description, 2)}${scopesTable(document)}</section>
<section id="guides"><h2>Guides</h2><p class="lead">A screen each. Their lines can be pasted, one guide after another.</p>
${guides.map(
  ({
    id,
    title,
    content,
  }) => html`<article class="text" id="${id}"><h3><a class="self" href="#${id}">${title}</a></h3>${content}</article>
`,
)}</section>
${chapters.map(
  ({ name, description, operations: listed }) => html`<section id="${slug(name)}">
<h2>${name}</h2><p class="lead">${inline(description)}</p>
${listed.map((operation) => operationSection(document, operation))}</section>
`,
)}
<section id="webhooks"><h2>Webhooks</h2><p class="lead">${TAGS.Webhooks}</p>
${Object.entries(webhooks).map(([type, { post }]) => webhookSection(document, type, post))}</section>
<section id="errors"><h2>Errors</h2><p class="lead">What <code>Service-Error-Code</code> may say, why it happens, and what to do about it.</p>
${Object.entries(ERROR_REASONS).map(([status, reasons]) => errorTable(status, reasons))}</section>
<section id="schemas"><h2>Schemas</h2><p class="lead">Shapes of requests and answers by name. Fields not marked as required may be left out.</p>
${Object.entries(components.schemas).map(
  ([
    name,
    schema,
  ]) => html`<article class="schema" id="schema-${name}"><h3><a class="self" href="#schema-${name}">${name}</a></h3>
<p>${inline(schema.description ?? "")}</p>
${fieldsOf(document, schema, `Fields of ${name}`)}</article>
`,
)}</section>
</main>
<script type="module">${new Html(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

function addressedOperations({ paths }: OpenApiDocument): readonly AddressedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

function navigationItem(method: string, id: string, text: string, struck: boolean): Html {
  const label = html`<span class="method ${method}" aria-hidden="true">${method === "event" ? "" : method.toUpperCase()}</span> `;
  const words = method === "event" ? breakable(text) : struck ? html`<s>${text}</s>` : html`${text}`;
  return html`<li><a href="#${id}">${method === "event" ? "" : label}<span>${words}</span></a></li>
`;
}

function errorTable(status: string, reasons: Readonly<Record<string, Reason>>): Html {
  const title = `${status} ${STATUS_CODES[status]}`;
  return html`<h3>${title}</h3>
<table class="errors"><caption>${title}</caption><thead><tr><th scope="col">Code</th><th scope="col">Why</th><th scope="col">What to do</th></tr></thead>
<tbody>${Object.entries(reasons).map(
    ([
      code,
      [cause, cure],
    ]) => html`<tr><th scope="row"><code>${code}</code></th><td>${inline(cause)}</td><td>${inline(cure)}</td></tr>
`,
  )}</tbody></table>`;
}

function scopesTable({ components }: OpenApiDocument): Html {
  const scopes: Record<string, string> = components.securitySchemes.AccessToken?.flows?.clientCredentials?.scopes ?? {};
  return html`<h2 id="about-scopes">Scopes</h2>
<table class="answers"><caption>Scopes</caption><thead><tr><th scope="col">Scope</th><th scope="col">Allows to</th></tr></thead>
<tbody>${Object.entries(scopes).map(
    ([name, text]) => html`<tr><th scope="row"><code>${name}</code></th><td>${inline(text)}</td></tr>
`,
  )}</tbody></table>`;
}
