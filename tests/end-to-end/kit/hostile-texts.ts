/** A text of so many characters (code points). */
export type Fill = (characters: number) => string;

const repeated =
  (pattern: string): Fill =>
  (characters) => {
    const units = [...pattern];
    return Array.from({ length: characters }, (_, index) => units[index % units.length]).join("");
  };

/** What costs most to look at, each beginning with something visible. */
export const FILLS: Readonly<Record<string, Fill>> = {
  letters: repeated("a"),
  "combining marks": (characters) => `e${"\u0301".repeat(characters - 1)}`,
  "what unfolds to eighteen characters": repeated("\ufdfa"),
  "beyond the basic plane": repeated("𠀀🪐"),
  "white space": (characters) => `a${"\u2003 ".repeat(characters).slice(0, characters - 2)}a`,
  "brackets, quotes and escapes": repeated('([{<"\\'),
  digits: repeated("1234567890"),
  "dots and signs": repeated("a.-@:/"),
};

/** Bodies of so many bytes that no operation takes. */
export const BODIES: Readonly<Record<string, (bytes: number) => string>> = {
  "white space": (bytes) => "{}".padEnd(bytes),
  "line ends": (bytes) => "\r\n".repeat(bytes / 2 - 1),
  arrays: (bytes) => "[".repeat(bytes),
  objects: (bytes) => '{"a":'.repeat(bytes / 5),
  "arrays beside each other": (bytes) => `{"a":[${"[],".repeat(bytes / 3 - 4)}[]]}`,
  "long names": (bytes) =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`${index}`.padEnd(bytes / 900 - 10, "n"), 1])),
    ),
  "a text that does not end": (bytes) => `{"a":"${"\\\\".repeat(bytes / 2 - 4)}`,
  "a text of escapes": (bytes) => `{"a":"${"\\u0061".repeat(bytes / 6 - 2)}"}`,
};
