/** The value of a JSON file's text, which may begin with a byte order mark (RFC 8259 §8.1). @throws SyntaxError */
export function parseJsonFile(text: string): object {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}
