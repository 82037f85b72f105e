/** One JSON value, or a list of those that stand on a line each. */
export function parseJsonOrLines(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }
}
