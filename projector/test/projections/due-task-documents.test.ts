import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { dueTasks } from "../../src/projections/due-tasks.ts";
import { type FixtureEvent, writtenDocuments } from "./kit/written-documents.ts";

/** One event a line, with the documents that were written for it when the stored format was settled. */
const FIXTURE = path.join(import.meta.dirname, "fixtures/due-task-documents.jsonl");

interface Line {
  readonly event: FixtureEvent;
  readonly written: readonly unknown[];
}

const lines = fs
  .readFileSync(FIXTURE, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);

test("due tasks are stored as they always were, byte for byte", () => {
  const events = lines.map(({ event }) => event);
  expect(writtenDocuments(dueTasks, events)).toStrictEqual(
    lines.map(({ written }) => written.map((document) => JSON.stringify(document))),
  );
  expect(dueTasks.version).toBe(4);
});
