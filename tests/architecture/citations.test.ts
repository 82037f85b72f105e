import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { checkCitations } from "./citations.ts";
import { slugsOf } from "./markdown.ts";
import { sourceTree } from "./source-tree.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** What is wrong in a tree of these files. */
function problemsIn(files: Readonly<Record<string, string>>): readonly string[] {
  const tree = sourceTree(files);
  try {
    return checkCitations(tree).problems;
  } finally {
    fs.rmSync(tree, { recursive: true });
  }
}

test("every citation in this project leads to a page and a heading of it", () => {
  const { followed, problems } = checkCitations(ROOT);
  expect(problems).toStrictEqual([]);
  expect(followed).toBeGreaterThan(100);
});

describe("a citation", () => {
  const page = "# Rules\n\n## Seats\n\n### Hold time\n\nFifteen minutes.\n";

  test.each([
    ["of a page", "/** Why: docs/rules.md. */"],
    ["of a heading", "/** How long (docs/rules.md#hold-time). */"],
    ["of several", "/** docs/rules.md#hold-time, docs/rules.md#seats. */"],
    ["that is no citation", 'const url = "https://example.com/docs/nowhere.md#gone";'],
  ])("%s is followed", (_, comment) => {
    expect(problemsIn({ "docs/rules.md": page, "domain/src/hold.ts": comment })).toStrictEqual([]);
  });

  test.each([
    ["a source", "domain/src/hold.ts"],
    ["a test", "tests/end-to-end/hold.test.ts"],
    ["a test of a package", "packages/http/test/hold.test.ts"],
    ["a page", "docs/decisions/0001-holds.md"],
    ["the README", "README.md"],
    ["what is run", "docker/service/entrypoint.sh"],
  ])("that leads nowhere is found in %s", (_, file) => {
    const text = "# see docs/rules.md#hold-times and docs/rule.md#hold-time\n";
    expect(problemsIn({ "docs/rules.md": page, [file]: text })).toStrictEqual([
      `${file}: docs/rule.md#hold-time: there is no such file`,
      `${file}: docs/rules.md#hold-times: there is no such heading`,
    ]);
  });

  test("of the README needs its heading", () => {
    const files = {
      "README.md": "## Settings\n",
      "domain/src/a.ts": "// README.md#settings, README.md#options, README.md\n",
    };
    expect(problemsIn(files)).toStrictEqual(["domain/src/a.ts: README.md#options: there is no such heading"]);
  });

  test.each([
    ["by chapter", '/** How long (decisions, "Seats"). */', 'decisions, "Seats"'],
    ["by place", "/** How long (decisions, last section). */", "(decisions, last section)"],
    ["over two lines", '/**\n * How long (decisions,\n * "Flights and seats").\n */', 'decisions, "Flights and seats"'],
    ["in a sentence", '/** In the order of the decisions ("Errors"). */', 'decisions ("Errors"'],
    ["of a draft", '// Names (design, "Streams").', 'design, "Streams"'],
    ["by number", "/** API document, section 8. */", "API document, section 8"],
    ["by name", "/** How long (API document, SeatHold). */", "API document, SeatHold"],
  ])("of a text that is not here is found: %s", (_, comment, written) => {
    expect(problemsIn({ "domain/src/hold.ts": comment })).toStrictEqual([
      `domain/src/hold.ts: ${written}: cites what is not in the project`,
    ]);
  });
});

describe("a link of a page", () => {
  const rules = "# Rules\n\n### Hold time\n\nSee [below](#hold-time).\n";

  test.each([
    ["beside it", "[rules](rules.md), [time](rules.md#hold-time)"],
    ["above it, and a folder", "[all](../README.md#settings), [pages](decisions/)"],
    ["elsewhere", "[web](https://example.com/a.md#b), [mail](mailto:a@example.com)"],
    ["that is only shown", "`[rules](gone.md)`\n\n```md\n[rules](gone.md)\n```"],
  ])("is followed: %s", (_, text) => {
    const files = { "docs/rules.md": rules, "README.md": "## Settings\n", "docs/decisions/0001-a.md": "# A\n" };
    expect(problemsIn({ ...files, "docs/page.md": text })).toStrictEqual([]);
  });

  test("that leads nowhere is found", () => {
    const text =
      "# Page\n\n[a](rule.md), [b](rules.md#hold), [c](#pages), [d](../docs/rules.md#hold-time)\n\n[e]: gone.md\n";
    expect(problemsIn({ "docs/rules.md": rules, "docs/page.md": text })).toStrictEqual([
      "docs/page.md: #pages: there is no such heading",
      "docs/page.md: gone.md: there is no such file",
      "docs/page.md: rule.md: there is no such file",
      "docs/page.md: rules.md#hold: there is no such heading",
    ]);
  });
});

test("headings have the anchors GitHub gives them", () => {
  const page = [
    "# What is *new*, and why?",
    "### `npm start`: one process",
    "## A [link](there.md) & more ##",
    "## Twice",
    "## Twice",
    "```sh\n# a comment of a shell\n```",
    "## Größe_2",
  ].join("\n\n");
  expect([...slugsOf(page)]).toStrictEqual([
    "what-is-new-and-why",
    "npm-start-one-process",
    "a-link--more",
    "twice",
    "twice-1",
    "größe_2",
  ]);
});
