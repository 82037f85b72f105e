import type {
  ExampleObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from "@travel-booking/api-contract";
import { type Html, html } from "@travel-booking/http/html";
import { fieldsOf, fieldTable, resolve, typeOf } from "./fields.ts";
import { inline, markdown } from "./html.ts";
import { type AddressedOperation, samplesOf, trialOf } from "./samples.ts";

export function operationSection(document: OpenApiDocument, addressed: AddressedOperation): Html {
  const { method, path, operation } = addressed;
  const { operationId, summary, description } = operation;
  const trial = trialOf(document, addressed);
  return html`<article id="${operationId}"${trial === undefined ? "" : html` data-trial="${JSON.stringify(trial)}"`}>
<div class="told">
<h3><a class="self" href="#${operationId}">${summary}</a>${badges(operation)}</h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
${markdown(withoutSummary(description, summary), 4)}
${parameterTable(document, operation)}
${requestSection(document, operation)}
${answerTable(document, operation)}
</div>
<div class="shown">
${samples(document, addressed)}
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

function answerTable(document: OpenApiDocument, { responses }: OperationObject): Html {
  const rows = Object.entries(responses).map(([status, answer]) => {
    const { description, content = {}, headers } = resolve<ResponseObject>(document, answer);
    const types = Object.entries(content).map(
      ([type, { schema }]) =>
        html`<span class="type">${schema === undefined ? html`<code>${type}</code>` : typeOf(schema)}</span>`,
    );
    const own = Object.keys(headers).filter((name) => OPERATION_HEADERS.includes(name));
    return html`<tr><th scope="row"><span class="status s${status.charAt(0)}">${status}</span></th>
<td>${inline(description)}${own.length === 0 ? "" : html`<span class="bounds">${own.map((name, index) => html`${index === 0 ? "" : ", "}<code>${name}</code>`)}</span>`}</td><td>${types}</td></tr>
`;
  });
  return html`<h4>Answers</h4><table class="answers"><caption>Answers</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Body</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

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
  const [good, bad]: [Html[], Html[]] = [[], []];
  for (const [status, answer] of Object.entries(responses)) {
    const isGood = status.startsWith("2");
    const { content } = resolve<ResponseObject>(document, answer);
    for (const { summary, value } of valuesOf(content?.["application/json"])) {
      const title = isGood ? `${status} · ${summary}` : `${status} ${summary}`;
      (isGood ? good : bad).push(listing(title, JSON.stringify(value, null, 2)));
    }
  }
  const errors = html`<details><summary>What errors look like</summary>${bad}</details>`;
  return html`${good}${bad.length === 0 ? "" : errors}`;
}

/** The examples of a media type; this document has no references among them. */
function valuesOf(media: { readonly examples?: object } | undefined): readonly ExampleObject[] {
  return Object.values(media?.examples ?? {});
}

function listing(title: string, text: string): Html {
  return html`<figure><figcaption>${inline(title)}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>
`;
}

/** Samples of a request. With scripts, only one is visible at a time. */
function samples(document: OpenApiDocument, addressed: AddressedOperation): Html {
  const all = samplesOf(document, addressed);
  const choices = all.map(({ language }) => html`<button type="button" aria-pressed="false">${language}</button>`);
  return html`<figure><figcaption>Request <span class="languages" data-scripted hidden>${choices}</span></figcaption>${all.map(
    ({ language, text }) => html`<pre tabindex="0" data-language="${language}"><code>${text}</code></pre>`,
  )}</figure>
`;
}
