import { Html, html, type Part } from "@travel-booking/http/html";

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
