/** One token of JSON (RFC 8259) behind white space. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a text of JSON has none of them unescaped.
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** What may come next. `first`: a value or key, or the end of the array or object that has just begun. */
type Expected = "value" | "first" | "key" | "colon" | "separator";

/**
 * Line and column, from 1, where a text stops being JSON. V8 reports only some of these places, and quotes the text.
 * @param text one that `JSON.parse` refuses.
 */
export function brokenJsonAt(text: string): { readonly line: number; readonly column: number } {
  const open: string[] = [];
  let expected: Expected = "value";
  let end = 0;
  for (;;) {
    TOKEN.lastIndex = end;
    const match: RegExpExecArray | null = TOKEN.exec(text);
    const next: Expected | undefined = match === null ? undefined : after(match, expected, open);
    if (match === null || next === undefined) return place(text, end);
    end = TOKEN.lastIndex;
    expected = next;
  }
}

/** What may follow this token; undefined if it may not stand here. Keeps `open` up to date. */
function after([, sign, string]: RegExpExecArray, expected: Expected, open: string[]): Expected | undefined {
  const inside = open.at(-1);
  if (expected === "colon") return sign === ":" ? "value" : undefined;
  if (sign === "}" || sign === "]") {
    const closes = inside === (sign === "}" ? "{" : "[") && (expected === "separator" || expected === "first");
    if (!closes) return undefined;
    open.pop();
    return "separator";
  }
  if (expected === "separator")
    return sign === "," && inside !== undefined ? (inside === "{" ? "key" : "value") : undefined;
  if (expected === "key" || (expected === "first" && inside === "{")) return string === undefined ? undefined : "colon";
  if (sign === undefined) return "separator";
  if (sign !== "{" && sign !== "[") return undefined;
  open.push(sign);
  return "first";
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32] as const;

/** Line and column of what comes after the white space at `end`. */
function place(text: string, end: number) {
  let line = 1;
  let begin = 0;
  let last = 0;
  for (let at = 0; ; at += 1) {
    const code = text.charCodeAt(at);
    if (at >= end && !isWhiteSpace(code)) return { line, column: at - begin + 1 };
    if (code === CARRIAGE_RETURN || code === LINE_FEED) {
      if (code === CARRIAGE_RETURN || last !== CARRIAGE_RETURN) line += 1;
      begin = at + 1;
    }
    last = code;
  }
}

/** False behind the end of the text, where the code is NaN. */
const isWhiteSpace = (code: number) => code === SPACE || code === TAB || code === LINE_FEED || code === CARRIAGE_RETURN;
