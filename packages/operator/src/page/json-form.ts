import { type Html, html } from "@travel-booking/http/html";
import { OperatorRefused } from "../client/operator-client.ts";
import { parseJsonFile } from "../json-file.ts";
import { textarea } from "./forms.ts";

/** A JSON file: with scripts it can be chosen, without them its text is pasted. */
export function jsonFile(name: string, placeholder: string): readonly Html[] {
  const id = `${name}-text`;
  const file = html`<label>a JSON file<input type="file" accept=".json,application/json" data-into="${id}"></label>`;
  const attributes = html`id="${id}" rows="6" required spellcheck="false" placeholder="${placeholder}"`;
  return [file, textarea("or its text", name, attributes)];
}

/** @throws OperatorRefused the problem, as a page shows it. */
export function jsonIn(name: string, form: Readonly<Record<string, string>>): object {
  try {
    return parseJsonFile(form[name] ?? "");
  } catch (error) {
    throw new OperatorRefused([`${name} is no JSON: ${(error as Error).message}`]);
  }
}
