import {
  COMMON_CODES,
  type ErrorCode,
  type ErrorStatus,
  type ExampleObject,
  type HeaderObject,
  KEY_CODES,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  reasonOf,
  type Schema,
} from "@travel-booking/api-contract";
import { type Html, html } from "@travel-booking/http/html";
import { fieldsOf, fieldTable, resolve, typeOf } from "./fields.ts";
import { COPY, errorId, inline, listing, markdown } from "./html.ts";
import { type AddressedOperation, samplesOf, trialOf } from "./samples.ts";

export function operationSection(document: OpenApiDocument, addressed: AddressedOperation): Html {
  const { method, path, operation } = addressed;
  const { operationId, summary, description } = operation;
  const trial = trialOf(document, addressed);
  return html`<article id="${operationId}"${trial === undefined ? "" : html` data-trial="${JSON.stringify(trial)}"`}>
<div class="told">
<h3><a class="self" href="#${operationId}">${summary}</a>${badges(operation)}</h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code class="long">${breakable(path)}</code></p>
${markdown(withoutSummary(description, summary), 4)}
${parameterTable(document, operation)}
${requestSection(document, operation)}
${answerTable(document, operation)}
</div>
<div class="shown">
${samples(document, addressed)}
${trial === undefined ? "" : html`<details class="trial scripted"><summary>Send it to this service</summary></details>`}
${answerExamples(document, operation)}
</div>
</article>
`;
}

/** A request that the service sends. */
export function webhookSection(document: OpenApiDocument, type: string, operation: OperationObject): Html {
  const { operationId, summary, description } = operation;
  const media = operation.requestBody?.content["application/json"];
  const value = valuesOf(media)[0]?.value;
  return html`<article id="${operationId}">
<div class="told">
<h3><a class="self" href="#${operationId}">${summary}</a></h3>
<p class="address"><span class="method post">POST</span> <code>${type}</code> <span class="mark">to your URL</span></p>
${markdown(description, 4)}
${parameterTable(document, operation)}
${media?.schema === undefined ? "" : html`<h4>Body</h4>${fieldsOf(document, media.schema, "Fields of the body")}`}
${answerTable(document, operation)}
</div>
<div class="shown">${value === undefined ? "" : listing("Body", JSON.stringify(value, null, 2))}</div>
</article>
`;
}

function badges({ deprecated, "x-beta": beta }: OperationObject): Html {
  return html`${deprecated ? html` <span class="badge deprecated">deprecated</span>` : ""}${beta ? html` <span class="badge beta">beta</span>` : ""}`;
}

/** Without the summary, because the heading has it. */
function withoutSummary(description: string, summary: string): string {
  return description.startsWith(`${summary}.\n\n`) ? description.slice(summary.length + 3) : description;
}

/** Lets the browser break the line at slashes. */
export function breakable(path: string): Html {
  const [first = "", ...rest] = path.split("/");
  return html`${first}${rest.map((segment) => html`/<wbr>${segment}`)}`;
}

function parameterTable(document: OpenApiDocument, { parameters }: OperationObject): Html {
  const rows = parameters
    .map((parameter) => resolve<ParameterObject>(document, parameter))
    .filter(({ name }) => !COMMON_PARAMETERS.includes(name))
    .map(({ name, in: location, required = false, description = "", schema = {} }) => {
      return { name, location, required, description, schema };
    });
  return rows.length === 0 ? html`` : html`<h4>Parameters</h4>${fieldTable("Parameters", rows)}`;
}

/** Parameters of every operation. They are left out here, because the guide has them. */
const COMMON_PARAMETERS = ["Service-Version", "X-Request-Id"];

function requestSection(document: OpenApiDocument, { requestBody }: OperationObject): Html {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (requestBody === undefined || type === undefined || media?.schema === undefined) return html``;
  const written = type === "application/json" ? "" : html` <span class="mark">${type}</span>`;
  const optional = requestBody.required ? "" : html` <span class="mark">may be left out</span>`;
  return html`<h4>Body${written}${optional}</h4>${fieldsOf(document, media.schema, "Fields of the body")}`;
}

/** What an operation answers: its successes, then why it refuses. What every operation may say stands in one place. */
function answerTable(document: OpenApiDocument, { responses }: OperationObject): Html {
  const rows = Object.entries(responses).map(([status, reference]) => {
    const answer = resolve<ResponseObject>(document, reference);
    const codes = ownCodes(status, answer);
    const meaning = "Service-Error-Code" in answer.headers ? codes : success(answer);
    return meaning.length === 0
      ? html``
      : html`<tr><th scope="row"><span class="status s${status.charAt(0)}">${status}</span></th>
<td>${meaning}</td></tr>
`;
  });
  const others = html`<tr><th scope="row">others</th><td>what <a href="#errors">every operation</a> may answer</td></tr>`;
  return html`<h4>Answers</h4><table class="answers"><caption>Answers</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}${rows.length > 1 ? others : ""}</tbody></table>`;
}

function success({ description, content = {}, headers }: ResponseObject): readonly Html[] {
  const types = Object.entries(content).map(
    ([type, { schema }]) =>
      html`<span class="type">${schema === undefined ? html`<code>${type}</code>` : typeOf(schema)}</span>`,
  );
  const own = Object.keys(headers).filter((name) => OPERATION_HEADERS.includes(name));
  const names = own.map((name, index) => html`${index === 0 ? "" : ", "}<code>${name}</code>`);
  return [html`${inline(description)}${types}${own.length === 0 ? "" : html`<span class="bounds">${names}</span>`}`];
}

/** The codes of an error that not every operation has; those of every command with a key without their reason. */
function ownCodes(status: string, { headers }: ResponseObject): readonly Html[] {
  const { schema } = (headers["Service-Error-Code"] ?? {}) as HeaderObject;
  const codes: readonly string[] = (schema as Schema | undefined)?.enum ?? [];
  const isOneOf = (known: object, code: string) => (known as Codes)[status]?.includes(code) === true;
  return codes
    .filter((code) => !isOneOf(COMMON_CODES, code))
    .map((code) => {
      const link = html`<a href="#${errorId(status, code)}"><code>${code}</code></a>`;
      const [cause = ""] = isOneOf(KEY_CODES, code) ? [] : reasonOf(Number(status) as ErrorStatus, code as ErrorCode);
      return html`<span class="reason">${inline(cause)} ${link}</span>`;
    });
}

type Codes = Readonly<Record<string, readonly string[]>>;

/** Headers that only some operations have. */
const OPERATION_HEADERS = [
  "ETag",
  "Content-Disposition",
  "Deprecation",
  "Sunset",
  "Link",
  "Idempotent-Replayed",
  "Retry-After",
];

function answerExamples(document: OpenApiDocument, { responses }: OperationObject): Html {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return html`${successes.map(([status, answer]) => answerListings(resolve<ResponseObject>(document, answer).content, status))}`;
}

/** The examples of an answer. */
export function answerListings(content: ResponseObject["content"], status: string): Html {
  const examples = valuesOf(content?.["application/json"]);
  return html`${examples.map(({ summary, value }) => listing(`${status} · ${summary}`, JSON.stringify(value, null, 2)))}`;
}

/** The examples of a media type; this document has no references among them. */
function valuesOf(media: { readonly examples?: object } | undefined): readonly ExampleObject[] {
  return Object.values(media?.examples ?? {});
}

/** Samples of a request. With scripts, only one is visible at a time. */
function samples(document: OpenApiDocument, addressed: AddressedOperation): Html {
  const all = samplesOf(document, addressed);
  const choices = all.map(({ language }) => html`<button type="button" aria-pressed="false">${language}</button>`);
  const texts = all.map(
    ({ language, text }) =>
      html`<pre tabindex="0" data-language="${language}"><code>${withSettings(text)}</code></pre>`,
  );
  return html`<figure><figcaption>Request <span class="languages scripted">${choices}</span>${COPY}</figcaption>${texts}</figure>
`;
}

/** Where a sample has the address or the API key. The script of the page puts in what the reader has entered. */
function withSettings(text: string): Html {
  const parts = text.split(/(\$?\{BASE\}|\$BASE|\$KEY|\bKEY\b)/).map((part, index) => {
    if (index % 2 === 0) return html`${part}`;
    if (part.includes("BASE")) return html`<var data-of="address">${part}</var>`;
    return part === "KEY" ? html`<var data-of="key" data-quoted>KEY</var>` : html`<var data-of="key">${part}</var>`;
  });
  return html`${parts}`;
}
