import type { OpenApiDocument, Reference, Schema } from "@travel-booking/api-contract";
import { type Html, html, inline, type Part } from "./html.ts";

/** What a reference inside the document stands for; anything else as it is. */
export function resolve<Value>(document: OpenApiDocument, value: Value | Reference): Value {
  if (!isReference(value)) return value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  const components = document.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const found = components[kind]?.[name];
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return found as Value;
}

/** The name of the schema a reference leads to. */
function schemaName(reference: string): string {
  return reference.slice("#/components/schemas/".length);
}

function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && typeof (value as Partial<Reference>).$ref === "string";
}

/** What kind of value a schema describes, in a few words; a schema with a name is linked. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = schemaName(schema.$ref);
    return html`<a href="#schema-${name}">${name.split(/(?=[A-Z][a-z])/).map((word) => html`${word}<wbr>`)}</a>`;
  }
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return joined(options.map(typeOf), " or ");
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return joined(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ", ",
    );
  if (schema.items !== undefined) return html`array of ${typeOf(schema.items)}`;
  const names = [schema.type ?? "anything"].flat().map((name) => (name === "null" ? "null" : name));
  return html`${names.join(" or ")}${schema.format === undefined || isSize(schema.format) ? "" : `, ${schema.format}`}`;
}

/** The bounds a value has to keep to, in a few words; empty where there are none worth telling. */
export function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties, uniqueItems } = schema;
  const told = [
    range(minimum, maximum, ""),
    schema.format === undefined && schema.enum === undefined ? range(minLength, maxLength, " characters") : "",
    range(minItems, maxItems, " entries"),
    maxProperties === undefined ? "" : `at most ${maxProperties} pairs`,
    uniqueItems === true ? "all different" : "",
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
  ];
  return told.filter((text) => text !== "").join("; ");
}

/** What JavaScript holds exactly is no bound anybody would care about. */
function range(from: number | undefined, to: number | undefined, unit: string): string {
  const least = from === undefined || Math.abs(from) === Number.MAX_SAFE_INTEGER ? undefined : from;
  const most = to === undefined || to === Number.MAX_SAFE_INTEGER ? undefined : to;
  if (least !== undefined && most !== undefined)
    return least === 0 && unit !== "" ? `at most ${most}${unit}` : `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? "" : `at most ${most}${unit}`;
}

function isSize(format: string): boolean {
  return format === "int32" || format === "int64";
}

function joined(parts: readonly Html[], separator: string): Html {
  const all: Part[] = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return html`${all}`;
}

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
