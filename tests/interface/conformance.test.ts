import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { operations } from "@travel-booking/api-contract";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGE = fs.readFileSync(path.join(ROOT, "docs/conformance.md"), "utf8");

/** A file in backquotes, a colon, and the titles of tests in it, each in double quotes. */
const NAMED = /`((?:e2e\/|tests\/|packages\/|[a-z-]+\/test\/)[\w./-]+)`:\s+((?:"[^"]+"(?:,\s+)?)+)/g;

const named = [...PAGE.matchAll(NAMED)].flatMap(([, file = "", titles = ""]) =>
  [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({
    file: file.replace(/^e2e\//, "tests/end-to-end/"),
    title,
  })),
);

describe("docs/conformance.md", () => {
  test("names tests that exist", () => {
    expect(named.length).toBeGreaterThan(150);
    const missing = named.filter(({ file, title }) => {
      const name = path.join(ROOT, `${file}.test.ts`);
      return !fs.existsSync(name) || !fs.readFileSync(name, "utf8").includes(`"${title}"`);
    });
    expect(missing).toStrictEqual([]);
  });

  test("names a test in each of its lines", () => {
    const lines = PAGE.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:line|---)/.test(line));
    expect(lines.length).toBeGreaterThan(90);
    expect(lines.filter((line) => !line.includes("section 4") && line.match(NAMED) === null)).toStrictEqual([]);
  });

  test("has a line for every operation", () => {
    const without = operations.filter(({ method, path: template }) => !PAGE.includes(`\`${method} ${template}\``));
    expect(without.map(({ id }) => id)).toStrictEqual([]);
  });
});
