import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { blocksOf } from "../readme/kit/blocks-of.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** What runs a documented command that is none of `tbs`, by how it begins: a file that has it. */
const RUN_BY: Readonly<Record<string, string>> = {
  "docker compose": "docker/operations/try.sh",
  "docker/operations/backup.sh": "docker/operations/try.sh",
  "docker/operations/restore.sh": "docker/operations/try.sh",
  "docker/operations/upgrade.sh": "docker/operations/try.sh",
  "npm run receiver": "tests/readme/receiver.test.ts",
  "npm run test:all": ".ci/run",
};

const NOT_RUN: Readonly<Record<string, string>> = {
  "docker/operations/try.sh": "it needs Docker, and takes ten minutes",
  "docker/operations/try-stripe.sh": "it needs a test key of Stripe's",
  "npm run bench": "it measures for minutes, and its figures are for people to judge",
  "npm run soak": "it runs for an hour",
  "npm run jest": "a test can't run the tests that it is one of",
  "npm test": "a test can't run the tests that it is one of",
  "tbs log rewrite": "by its route alone: what is rewritten is in tests/process",
};

function filesIn(folder: string, ending: string): readonly string[] {
  const names = fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(ending) && !name.includes("node_modules"))
    .map((name) => `${folder}/${name}`);
}

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8");

/** Each command that a page shows, in a block or within a sentence, by the words that it begins with. */
function documentedCommands(): ReadonlySet<string> {
  const pages = ["README.md", ...filesIn("docs", ".md")];
  const found = new Set<string>();
  for (const page of pages) {
    const spans = [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
    for (const text of [...blocksOf(path.join(ROOT, page), "sh"), ...spans]) {
      for (const [, words = ""] of text.matchAll(/\btbs((?: [a-z][a-z-]*(?![^\s)]))+)/g)) found.add(`tbs${words}`);
      for (const [command] of text.matchAll(/docker compose|docker\/operations\/[\w-]+\.sh|npm (?:run [\w:]+|test)/g)) {
        found.add(command);
      }
    }
  }
  return found;
}

const tests = ["tests", "packages/operator/test"]
  .flatMap((folder) => filesIn(folder, ".ts"))
  .map(read)
  .join("\n");

/** Whether a test has these words one after another, in one text or as a list. */
function isTested(command: string): boolean {
  const [, ...words] = command.split(" ");
  return new RegExp(`\\b${words.join(`(?: |",\\s*")`)}\\b`).test(tests);
}

describe("every documented command is run by a test, or is known not to be", () => {
  test.each([...documentedCommands()])("%s", (command) => {
    const of = (table: Readonly<Record<string, string>>) =>
      Object.entries(table).find(([begins]) => command === begins || command.startsWith(`${begins} `))?.[1];
    if (of(NOT_RUN) !== undefined) return;
    const file = of(RUN_BY);
    if (file !== undefined) expect(read(file)).toContain(command.split("/").at(-1));
    else expect([command, isTested(command)]).toStrictEqual([command, true]);
  });
});

test("the lists name what is documented", () => {
  const commands = [...documentedCommands()];
  const isDocumented = (name: string) => commands.some((command) => command === name || command.startsWith(`${name} `));
  expect([...Object.keys(RUN_BY), ...Object.keys(NOT_RUN)].filter((name) => !isDocumented(name))).toStrictEqual([]);
});
