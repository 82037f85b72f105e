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

/** A name does not break. What is more than a name does, where it has spaces or slashes. */
export function code(text: string): Html {
  return /[ /=]/.test(text) ? html`<code class="long">${text}</code>` : html`<code>${text}</code>`;
}

/** Code and strong text only. */
export function inline(text: string): Html {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(from, match.index));
    parts.push(match[1] === undefined ? html`<strong>${match[2]}</strong>` : code(match[1]));
    from = match.index + match[0].length;
  }
  return html`${[...parts, text.slice(from)]}`;
}

/** Copies what its figure shows. It needs the script of the page. */
export const COPY = html`<button type="button" class="copy scripted">Copy</button>`;

/** A text to copy, with what it is. */
export function listing(title: string, text: string): Html {
  return html`<figure><figcaption>${inline(title)}${COPY}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>
`;
}

/** Where an error is explained on the page. */
export function errorId(status: string, code: string): string {
  return `error-${status}-${code}`;
}

/** A name as a URL fragment. */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
