import type { OpenApiDocument, Schema } from "@travel-booking/api-contract";
import { type Html, html } from "./html.ts";
import { inline } from "./markdown.ts";
import { resolve } from "./resolve.ts";
import { boundsOf, typeOf } from "./schema-type.ts";

/** One line of a table of fields or parameters. */
export interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description: string;
  /** Where it goes, in the table of a request's parameters. */
  readonly place?: string;
}

/** Names, types, bounds and what they mean; stacked where the screen is narrow. */
export function fieldTable(caption: string, rows: readonly Row[]): Html {
  return html`<table class="fields">
<caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(row)}</tbody>
</table>`;
}

function row({ name, schema, required, description, place }: Row): Html {
  const bounds = boundsOf(schema);
  const marks = [place, required ? "required" : undefined].filter((mark) => mark !== undefined).join(", ");
  return html`<tr><th scope="row"><code>${name}</code>${marks === "" ? "" : html` <span class="mark">${marks}</span>`}</th>
<td>${typeOf(schema)}${bounds === "" ? "" : html`<span class="bounds">${bounds}</span>`}</td>
<td>${inline(description)}</td></tr>
`;
}

/** The fields of an object, or of each shape it may take. */
export function fieldsOf(document: OpenApiDocument, schema: Schema, caption: string): Html {
  const shape = resolve<Schema>(document, schema as Schema & { readonly $ref: string });
  const options = shape.oneOf ?? shape.anyOf;
  if (options !== undefined) return variants(document, options);
  if (shape.properties === undefined) return html`<p>${typeOf(shape)}${bounds(shape)}</p>`;
  const rows = Object.entries(shape.properties).map(([name, property]) => ({
    name,
    schema: property,
    required: shape.required?.includes(name) === true,
    description: descriptionOf(document, property),
  }));
  return fieldTable(caption, rows);
}

/** The shapes something may take, each with its fields. */
function variants(document: OpenApiDocument, options: readonly Schema[]): Html {
  return html`${options.map((option, index) => {
    const { description = "" } = resolve<Schema>(document, option as Schema & { readonly $ref: string });
    const told = description === "" ? "" : html`: ${inline(description)}`;
    return html`<p class="variant">${index === 0 ? "Either" : "or"} ${typeOf(option)}${told}</p>
${fieldsOf(document, option, "Fields")}`;
  })}`;
}

function bounds(schema: Schema): string {
  const text = boundsOf(schema);
  return text === "" ? "" : `; ${text}`;
}

/** A field's own words, else those of its schema. */
function descriptionOf(document: OpenApiDocument, property: Schema): string {
  if (property.description !== undefined) return property.description;
  if (property.$ref === undefined) return "";
  return resolve<Schema>(document, property as { readonly $ref: string }).description ?? "";
}
