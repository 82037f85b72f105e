import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { PROCESSES } from "../../src/index.ts";

const PAGE = path.resolve(import.meta.dirname, "../../../docs/architecture.md");

interface Task {
  readonly kind: string;
  readonly openedBy: object;
  readonly closedBy: object;
  readonly foldedFrom?: readonly string[];
}

function cellOf({ kind, openedBy, closedBy, foldedFrom }: Task): string {
  const events = foldedFrom
    ? `folded from ${foldedFrom.join(", ")}`
    : `${Object.keys(openedBy).join(", ")} → ${Object.keys(closedBy).join(", ")}`;
  return `\`${kind}\`: ${events}`;
}

function rendered(): string {
  const rows = PROCESSES.map(({ name, steps, undoneBy, tasks }) => [
    name,
    steps,
    undoneBy,
    (tasks as readonly Task[]).map(cellOf).join("<br>"),
  ]);
  const header = ["process", "steps", "undone by", "due tasks: opened by → closed by"];
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

test("the table in docs/architecture.md is what the processes define; after a change, copy it from this failure", () => {
  const [, section = ""] = fs.readFileSync(PAGE, "utf8").split("## What spans two streams\n");
  const table = /(?:^\|.*\n)+/m.exec(section)?.[0];
  expect(table).toBe(rendered());
});
