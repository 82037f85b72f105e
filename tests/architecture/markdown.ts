const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm;
const CODE = /(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/gm;
const LINK = /!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g;

/** A page without what is shown as it is, in blocks and in lines: nothing in there is a link. */
export function withoutCode(markdown: string): string {
  return markdown.replaceAll(FENCE, "").replaceAll(CODE, "");
}

/** The anchors GitHub gives the headings of a page. */
export function slugsOf(markdown: string): ReadonlySet<string> {
  const slugs = new Set<string>();
  for (const [, heading = ""] of markdown.replaceAll(FENCE, "").matchAll(HEADING)) {
    const slug = slugOf(heading);
    let free = slug;
    // Of equal headings the second is numbered from 1.
    for (let count = 1; slugs.has(free); count += 1) free = `${slug}-${count}`;
    slugs.add(free);
  }
  return slugs;
}

function slugOf(heading: string): string {
  const text = heading.replaceAll(LINK, "$1").toLowerCase();
  return text.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "").replaceAll(" ", "-");
}
