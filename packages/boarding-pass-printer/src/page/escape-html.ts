const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
// What has no place in a line of text, or would turn the text behind it around.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** A text of somebody else's as the content or a quoted attribute of an HTML element. */
export function escapeHtml(text: string): string {
  return text.replace(INVISIBLE, " ").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
