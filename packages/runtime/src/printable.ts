/** Control characters (C0, DEL, C1), marks that reorder what follows, and what some terminals take for a line's end. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Text that can't steer the terminal it is printed at: customers write names. What could is replaced by its escape of JSON,
 * `\u001b`. In the text of a JSON value that changes nothing: there, such characters stand in strings only.
 */
export function printable(text: string): string {
  return text.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value as JSON on one line that can't steer a terminal. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}
