import type { Schema } from "@travel-booking/api-contract";
import { type Html, html, type Part } from "./html.ts";
import { schemaName } from "./resolve.ts";

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
