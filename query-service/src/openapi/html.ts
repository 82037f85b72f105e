/** Markup that needs no escaping. */
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

/** Markup in which all values are escaped that are not markup themselves. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => `${text}${rendered(parts[index - 1])}${string}`));
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*/g;

/** The part of CommonMark the document uses: headings, paragraphs, code and strong text. */
export function markdown(text: string, headingLevel: 2 | 3 | 4 = 3): Html {
  const blocks = text.split(/\n{2,}/).map((block) => {
    const heading = /^## (.+)$/.exec(block.trim())?.[1];
    if (heading === undefined) return html`<p>${inline(block.replaceAll("\n", " "))}</p>`;
    const tag = new Html(`h${headingLevel}`);
    return html`<${tag} id="about-${slug(heading)}">${inline(heading)}</${tag}>`;
  });
  return html`${blocks}`;
}

/** Code and strong text only. */
export function inline(text: string): Html {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(from, match.index));
    parts.push(match[1] === undefined ? html`<strong>${match[2]}</strong>` : html`<code>${match[1]}</code>`);
    from = match.index + match[0].length;
  }
  return html`${[...parts, text.slice(from)]}`;
}

/** A name as a URL fragment. */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
