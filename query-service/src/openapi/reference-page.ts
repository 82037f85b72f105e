import { STATUS_CODES } from "node:http";
import {
  API_VERSIONS,
  COMMON_CODES,
  ERROR_REASONS,
  KEY_CODES,
  type OpenApiDocument,
  type Reason,
  TAGS,
} from "@travel-booking/api-contract";
import { Html, html } from "@travel-booking/http/html";
import { fieldsOf } from "./fields.ts";
import { readGuides } from "./guides.ts";
import { errorId, inline, markdown, slug } from "./html.ts";
import { answerListings, breakable, operationSection, webhookSection } from "./operation.ts";
import { page, SCRIPT } from "./page.ts";
import type { AddressedOperation } from "./samples.ts";

/** The order in which a customer of the API meets the chapters. In the document they are alphabetical. */
const JOURNEY = Object.keys(TAGS);

/** The OpenAPI document as one page, with guides before the operations. */
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
  const body = html`<a class="skip" href="#content">Skip to the content</a>
<header>
<p class="title"><a class="home" href="#content">${info.title}</a> <a class="version" href="/docs/changelog">${API_VERSIONS[0]}</a></p>
<p class="links"><a class="menu" href="#contents">Contents</a></p>
</header>
<form class="settings scripted" aria-label="What the samples are filled with">
<label>Address <input id="address" inputmode="url" autocomplete="off" spellcheck="false" placeholder="https://…"></label>
<label>API key <input id="key" type="password" autocomplete="off" placeholder="tbs_…"></label>
</form>
<nav id="contents" aria-label="Contents">
<label class="search scripted">Search <kbd>/</kbd><input id="search" type="search" autocomplete="off"><output id="found" for="search"></output></label>
<ul id="results" hidden></ul>
<ul id="tree">
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
<li><a class="chapter" href="/docs/changelog">Changelog</a></li>
<li><span class="chapter">Downloads</span><ul>
<li><a href="/v1/openapi.json">openapi.json</a></li>
<li><a href="/docs/openapi.yaml">openapi.yaml</a></li>
<li><a href="/docs/postman.json">Postman collection</a></li>
</ul></li>
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
${answerListings(components.responses.BadRequest?.content, "400")}
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
<script type="module">${new Html(SCRIPT)}</script>`;
  return page(info.title, body);
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

/** Whose answers have an error, where that is not one operation or another. */
const WHERE: readonly (readonly [string, Readonly<Record<string, readonly string[]>>])[] = [
  ["every operation", COMMON_CODES],
  ["with Idempotency-Key", KEY_CODES],
];

function errorTable(status: string, reasons: Readonly<Record<string, Reason>>): Html {
  const title = `${status} ${STATUS_CODES[status]}`;
  const rows = Object.entries(reasons).map(([code, [cause, cure]]) => {
    const where = WHERE.filter(([, codes]) => codes[status]?.includes(code)).map(([mark]) => mark);
    const marks = where.map((mark) => html` <span class="mark">${mark}</span>`);
    return html`<tr id="${errorId(status, code)}"><th scope="row"><code>${code}</code>${marks}</th><td>${inline(cause)}</td><td>${inline(cure)}</td></tr>
`;
  });
  return html`<h3>${title}</h3>
<table class="errors"><caption>${title}</caption><thead><tr><th scope="col">Code</th><th scope="col">Why</th><th scope="col">What to do</th></tr></thead>
<tbody>${rows}</tbody></table>`;
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
