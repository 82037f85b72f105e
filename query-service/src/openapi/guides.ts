import { readdirSync, readFileSync } from "node:fs";
import { Html, html } from "@travel-booking/http/html";
import { Marked, type Tokens } from "marked";
import { code, listing } from "./html.ts";

const FOLDER = new URL("../../guides/", import.meta.url);

/** A test runs every block of code in a guide (tests/readme/guides.test.ts). */
export interface Guide {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** Guides on topics across operations, one screen each, in the order of their numbers. */
export function readGuides(): readonly Guide[] {
  return readdirSync(FOLDER)
    .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
    .map((file) => {
      const [, name = "", title = "", text = ""] =
        /^\d+-(\w+)\.md\n# ([^\n]+)\n([\s\S]*)$/.exec(`${file}\n${readFileSync(new URL(file, FOLDER), "utf8")}`) ?? [];
      if (title === "") throw new Error(`${file} has no title, or is not named by number and name`);
      return { id: `guide-${name}`, title, content: new Html(marked.parse(text, { async: false })) };
    });
}

const LANGUAGES: Readonly<Record<string, string>> = { sh: "Shell", js: "JavaScript", python: "Python", go: "Go" };

const marked = new Marked({
  renderer: {
    code: ({ text, lang = "" }: Tokens.Code): string => listing(LANGUAGES[lang] ?? lang, text).text,
    codespan: ({ text }: Tokens.Codespan): string => code(text).text,
    table({ header, rows }: Tokens.Table): string {
      const inside = ({ tokens }: Tokens.TableCell) => new Html(this.parser.parseInline(tokens));
      return html`<table class="answers"><caption>${header[0]?.text}</caption><thead><tr>${header.map((cell) => html`<th scope="col">${inside(cell)}</th>`)}</tr></thead>
<tbody>${rows.map(([name, ...cells]) => html`<tr><th scope="row">${name && inside(name)}</th>${cells.map((cell) => html`<td>${inside(cell)}</td>`)}</tr>`)}</tbody></table>`
        .text;
    },
  },
});
