/** Markup that is safe to put into a page as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function rendered(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(rendered).join("");
  return String(part).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** Markup with everything that is put into it escaped, but for what is markup already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => `${text}${rendered(parts[index - 1])}${string}`));
}
