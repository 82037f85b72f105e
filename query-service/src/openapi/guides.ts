import { readdirSync, readFileSync } from "node:fs";
import { Html, html } from "@travel-booking/http/html";
import { Marked, type Tokens } from "marked";
import { inline } from "./html.ts";

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
    .sort()
    .map((file) => {
      const [, name = "", title = "", text = ""] =
        /^\d-(\w+)\.md\n# ([^\n]+)\n([\s\S]*)$/.exec(`${file}\n${readFileSync(new URL(file, FOLDER), "utf8")}`) ?? [];
      if (title === "") throw new Error(`${file} has no title, or is not named by number and name`);
      return { id: `guide-${name}`, title, content: new Html(marked.parse(text, { async: false })) };
    });
}

const LANGUAGES: Readonly<Record<string, string>> = { sh: "Shell", js: "Node", py: "Python", go: "Go" };

const marked = new Marked({
  renderer: {
    code({ text, lang = "" }: Tokens.Code): string {
      return html`<figure><figcaption>${inline(LANGUAGES[lang] ?? lang)}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`
        .text;
    },
  },
});
