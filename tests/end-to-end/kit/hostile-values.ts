/** What a field should not hold, each of them as JSON. */
export const HOSTILE = [
  "null",
  "true",
  "0",
  "-0",
  "0.5",
  "-1",
  "1e308",
  "-1e308",
  "1e999",
  "9007199254740993",
  "5e-324",
  '""',
  '" "',
  '"NaN"',
  '"\\u0000"',
  '"\\u007f"',
  '"\\ud800"',
  '"__proto__"',
  '"constructor"',
  '"2026-02-30"',
  '"99999-01-01T00:00:00Z"',
  `"${"x".repeat(10_000)}"`,
  `"${"🚀".repeat(300)}"`,
  "[]",
  "[null]",
  "[[]]",
  '[""]',
  '["10A","10A"]',
  `[${'"10A",'.repeat(900)}"10B"]`,
  "{}",
  '{"$gt":""}',
  '{"$ne":null}',
  '{"__proto__":{"x":1}}',
  '{"constructor":"x"}',
  '{"length":1e9}',
  '{"toJSON":"x"}',
];

/** The whole body as JSON, with this JSON in place of the field. */
type Put = (json: string) => string;

/** Every field of a body, however deep, with what puts another value in its place. */
export function fieldsOf(body: Readonly<Record<string, unknown>>): readonly (readonly [string, Put])[] {
  const MARK = "\u0001here";
  const found: (readonly [string, Put])[] = [];
  const visit = (value: unknown, path: string, rebuild: (replaced: unknown) => unknown) => {
    if (path !== "") {
      const template = JSON.stringify(rebuild(MARK));
      found.push([path, (json) => template.replace(JSON.stringify(MARK), () => json)]);
    }
    if (Array.isArray(value)) {
      visit(value[0], `${path}[0]`, (replaced) => rebuild([replaced, ...value.slice(1)]));
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        visit(inner, path === "" ? key : `${path}.${key}`, (replaced) => rebuild({ ...value, [key]: replaced }));
      }
    }
  };
  visit(body, "", (replaced) => replaced);
  return found;
}
