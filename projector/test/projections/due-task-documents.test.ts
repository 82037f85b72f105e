import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { type DomainEvent, dueTaskChanges, storedDueTask } from "@travel-booking/domain";
import type { Put } from "@travel-booking/engines/read-store";
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

test("a stored task is the one that was opened", () => {
  for (const { event, written } of lines) {
    const { opened } = dueTaskChanges(event as DomainEvent, event.stream.slice(event.stream.indexOf("-") + 1), {
      accountId: event.accountId,
    });
    for (const { key, task } of opened) {
      const put = (written as readonly Put[]).find(({ document }) => document?.key === key);
      const { body, indexes } = put?.document ?? {};
      expect(storedDueTask(key, indexes?.byDueTime?.sort ?? "", body ?? "")).toStrictEqual(task);
    }
  }
});

test("due tasks are stored as they always were, byte for byte", () => {
  const events = lines.map(({ event }) => event);
  expect(writtenDocuments(dueTasks, events)).toStrictEqual(
    lines.map(({ written }) => written.map((document) => JSON.stringify(document))),
  );
  expect(dueTasks.version).toBe(7);
});
