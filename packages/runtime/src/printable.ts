/** Control characters (C0, DEL, C1), marks that reorder text, and those that some terminals take for a line's end. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Text that can't control the terminal it is printed on; customers choose their names. Each dangerous character becomes
 * its JSON escape, such as `\u001b`. In JSON that changes no value, because such characters stand only in strings.
 */
export function printable(text: string): string {
  return text.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value as JSON on one line that can't steer a terminal. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}
