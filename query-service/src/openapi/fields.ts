import type { OpenApiDocument, Reference, Schema } from "@travel-booking/api-contract";
import { type Html, html, type Part } from "@travel-booking/http/html";
import { inline } from "./html.ts";

/** The target of a reference inside the document; any other value as it is. */
export function resolve<Value extends object>(document: OpenApiDocument, value: Value | Reference): Value {
  if (!isReference(value)) return value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  const components = document.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const found = components[kind]?.[name];
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return found as Value;
}

function isReference(value: object): value is Reference {
  return "$ref" in value;
}

/** The type of a value in a few words; a component is linked by its name, an object without one shows its fields. */
export function typeOf(schema: Schema | Reference): Html {
  if (isReference(schema)) {
    const name = schema.$ref.slice("#/components/schemas/".length);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return joined(options.map(typeOf), " or ");
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const words = schema.enum?.map((value) => html`<code>${String(value)}</code>`);
  if (words !== undefined) return joined(words, ", ");
  if (schema.items !== undefined) return html`array of ${typeOf(schema.items)}`;
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(
      ([name, field]) => html`<code>${name}</code>: ${typeOf(field)}`,
    );
    return html`object of ${joined(fields, ", ")}`;
  }
  const names = [schema.type ?? "anything"].flat().join(" or ");
  const isPlain = schema.format === undefined || schema.format === "int32" || schema.format === "int64";
  return html`${names}${isPlain ? "" : `, ${schema.format}`}`;
}

/** The bounds and the default of a value in a few words; "" if it has none. */
export function boundsOf(schema: Schema | Reference): string {
  // A reference may have a default beside it.
  const { format, enum: words, default: initial } = schema as Schema;
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties, uniqueItems } = schema as Schema;
  const bounds = [
    range(minimum, maximum, ""),
    format === undefined && words === undefined ? range(minLength, maxLength, " characters") : "",
    range(minItems, maxItems, " entries"),
    maxProperties === undefined ? "" : `at most ${maxProperties} pairs`,
    uniqueItems === true ? "all different" : "",
    initial === undefined ? "" : `default ${JSON.stringify(initial)}`,
  ];
  return bounds.filter((text) => text !== "").join("; ");
}

/** Leaves out the bounds of the integers that JavaScript represents exactly. */
function range(from: number | undefined, to: number | undefined, unit: string): string {
  const min = from === undefined || Math.abs(from) === Number.MAX_SAFE_INTEGER ? undefined : from;
  const max = to === undefined || to === Number.MAX_SAFE_INTEGER ? undefined : to;
  if (min === undefined) return max === undefined ? "" : `at most ${max}${unit}`;
  if (max === undefined) return `at least ${min}${unit}`;
  return min === 0 && unit !== "" ? `at most ${max}${unit}` : `${min} to ${max}${unit}`;
}

function joined(parts: readonly Html[], separator: string): Html {
  const all: Part[] = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return html`${all}`;
}

/** One line of a table of fields or parameters. */
export interface Row {
  readonly name: string;
  readonly schema: Schema | Reference;
  readonly required: boolean;
  readonly description: string;
  /** For a parameter: path, query or header. */
  readonly location?: string;
}

/** A table of fields. On a narrow screen the style sheet stacks its cells. */
export function fieldTable(caption: string, rows: readonly Row[]): Html {
  return html`<table class="fields">
<caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(row)}</tbody>
</table>`;
}

function row({ name, schema, required, description, location }: Row): Html {
  const bounds = boundsOf(schema);
  const marks = [location, required ? "required" : undefined].filter((mark) => mark !== undefined).join(", ");
  return html`<tr><th scope="row"><code>${name}</code>${marks === "" ? "" : html` <span class="mark">${marks}</span>`}</th>
<td>${typeOf(schema)}${bounds === "" ? "" : html`<span class="bounds">${bounds}</span>`}</td>
<td>${inline(description)}</td></tr>
`;
}

/** The fields of an object, or of each variant of a choice. */
export function fieldsOf(document: OpenApiDocument, schema: Schema | Reference, caption: string): Html {
  const shape = resolve<Schema>(document, schema);
  const options = shape.oneOf ?? shape.anyOf;
  if (options !== undefined) return variants(document, options);
  if (shape.properties === undefined) {
    const bounds = boundsOf(shape);
    return html`<p>${typeOf(shape)}${bounds === "" ? "" : `; ${bounds}`}</p>`;
  }
  const rows = Object.entries(shape.properties).map(([name, property]) => ({
    name,
    schema: property,
    required: shape.required?.includes(name) === true,
    description: property.description ?? resolve<Schema>(document, property).description ?? "",
  }));
  return fieldTable(caption, rows);
}

function variants(document: OpenApiDocument, options: readonly (Schema | Reference)[]): Html {
  return html`${options.map((option, index) => {
    const { description = "" } = resolve<Schema>(document, option);
    const meaning = description === "" ? "" : html`: ${inline(description)}`;
    return html`<p class="variant">${index === 0 ? "Either" : "or"} ${typeOf(option)}${meaning}</p>
${fieldsOf(document, option, "Fields")}`;
  })}`;
}
