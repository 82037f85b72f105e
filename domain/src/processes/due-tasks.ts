import type { DomainEvent, Instant } from "../shared/decision.ts";
import { type SeatAssignment, seatsDueAt } from "./assign-seats.ts";
import type { TaskDefinition } from "./process.ts";
import { PROCESSES } from "./processes.ts";
import type { Saga } from "./saga.ts";

type TaskOf<Definition> =
  Definition extends TaskDefinition<infer Kind, infer Facts> ? { readonly kind: Kind } & Readonly<Facts> : never;

/** A stored task. `instance`: the process that worked on the task's request, if known. */
export type DueTask = TaskOf<(typeof PROCESSES)[number]["tasks"][number]> & { readonly instance?: string };
export type DueTaskKind = DueTask["kind"];

interface OpenedTask {
  readonly key: string;
  readonly task: DueTask;
}

/** The tasks that an event opens, and the keys of open tasks that it closes. */
export interface DueTaskChanges {
  readonly opened: readonly OpenedTask[];
  readonly closed: readonly string[];
}

const NO_CHANGES: DueTaskChanges = { opened: [], closed: [] };

/** The tasks without their types. Each is only called with tasks of its own kind. */
type AnyTask = TaskDefinition<DueTaskKind, { readonly dueAt: Instant }>;
const TASKS = PROCESSES.flatMap(({ tasks }) => tasks as unknown as readonly AnyTask[]);
const TASKS_BY_KIND: ReadonlyMap<string, AnyTask> = new Map(TASKS.map((task) => [task.kind, task]));

/** With this map, an event that concerns no task costs one look-up. */
const TASKS_BY_EVENT = new Map<string, AnyTask[]>();
for (const task of TASKS) {
  for (const type of new Set([...Object.keys(task.openedBy), ...Object.keys(task.closedBy)])) {
    TASKS_BY_EVENT.set(type, [...(TASKS_BY_EVENT.get(type) ?? []), task]);
  }
}

/** The origin of an event, as far as its tasks need it. */
export interface EventOrigin {
  /** The account that caused the event; null if none did. */
  readonly accountId: string | null;
  /** The process that decided the event, if several write. */
  readonly instance?: string;
}

/** The tasks that an event of the aggregate `id` opens and closes. */
export function dueTaskChanges(event: DomainEvent, id: string, { accountId, instance }: EventOrigin): DueTaskChanges {
  const tasks = TASKS_BY_EVENT.get(event.type);
  if (tasks === undefined) return NO_CHANGES;
  const type = event.type as keyof AnyTask["openedBy"];
  const opened: OpenedTask[] = [];
  const closed: string[] = [];
  for (const { kind, openedBy, closedBy, ofRequest } of tasks) {
    const facts = openedBy[type]?.(event as never, id, accountId);
    const worker = ofRequest === true && instance !== undefined ? { instance } : undefined;
    if (facts !== undefined) opened.push(keyed({ kind, ...facts, ...worker } as DueTask));
    const subjects = closedBy[type]?.(event as never, id) ?? [];
    if (typeof subjects === "string") closed.push(dueTaskKey(kind, subjects));
    else for (const subject of subjects) closed.push(dueTaskKey(kind, subject));
  }
  return { opened, closed };
}

/** The tasks that an event of the booking `bookingId` opens or closes by changing when the booking is due seats. */
export function seatAssignmentChanges(
  bookingId: string,
  before: SeatAssignment | undefined,
  after: SeatAssignment | undefined,
): DueTaskChanges {
  const dueAt = seatsDueAt(after);
  if (dueAt === seatsDueAt(before)) return NO_CHANGES;
  if (dueAt === undefined) return { opened: [], closed: [dueTaskKey("assign_seats", bookingId)] };
  return { opened: [keyed({ kind: "assign_seats", bookingId, dueAt })], closed: [] };
}

/** The saga that does a task. */
export function sagaOf(task: DueTask): Saga<unknown> {
  return definitionOf(task).run(task);
}

/** Whether a task finishes or undoes what a request has begun. */
export function isOfRequest(task: DueTask): boolean {
  return definitionOf(task).ofRequest === true;
}

/** Names one task by its subject and its kind. Ids begin with the time, so new keys sort above older ones. */
export function dueTaskKey(kind: DueTaskKind, subject: string): string {
  return `${subject}/${kind}`;
}

function keyed(task: DueTask) {
  return { key: dueTaskKey(task.kind, definitionOf(task).key(task)), task };
}

function definitionOf({ kind }: Pick<DueTask, "kind">): AnyTask {
  const definition = TASKS_BY_KIND.get(kind);
  if (definition === undefined) throw new Error(`there is no due task of kind ${kind}`);
  return definition;
}

/** The list of tasks, ordered by due time, then by key. */
export const DUE_PARTITION = "all";
/** The lists of tasks that take long. The stored name of the one of reviews is older than the other list. */
export const REVIEWS_PARTITION = "lengthy";
export const SWEEPS_PARTITION = "sweeps";
const LONG_RUNNING = { reviews: REVIEWS_PARTITION, sweeps: SWEEPS_PARTITION } as const;

/** The list that the task with this key is on. */
export function partitionOf(key: string): string {
  const { list } = definitionOf({ kind: kindOf(key) });
  return list === undefined ? DUE_PARTITION : LONG_RUNNING[list];
}

function subjectOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/"));
}

function kindOf(key: string): DueTaskKind {
  return key.slice(key.lastIndexOf("/") + 1) as DueTaskKind;
}

const DIGITS = 15;

/** Sorts tasks as text by due time, then by key. */
export function dueSortKey(dueAt: Instant, key: string): string {
  return `${dueSortKeyFrom(dueAt)}/${key}`;
}

/** Stands for the subject in the key. No stored fact is a boolean. */
const SUBJECT = true;

/** The stored facts of the task with this key, as JSON. The rest follows from its key and its place on the list. */
export function dueTaskFacts(key: string, { kind, dueAt, ...facts }: DueTask): string {
  return JSON.stringify(replaced(facts, subjectOf(key), SUBJECT));
}

/** The task with this key, at this place on the list. @param facts as `dueTaskFacts` made them. */
export function storedDueTask(key: string, sortKey: string, facts: string): DueTask {
  const parsed = replaced(JSON.parse(facts), SUBJECT, subjectOf(key));
  return { kind: kindOf(key), ...parsed, dueAt: Number(sortKey.slice(0, DIGITS)) } as DueTask;
}

function replaced(facts: Readonly<Record<string, unknown>>, old: unknown, by: unknown): Record<string, unknown> {
  const after: Record<string, unknown> = {};
  for (const name in facts) after[name] = facts[name] === old ? by : facts[name];
  return after;
}

/** The lowest sort key of everything due at `instant` or later. */
export function dueSortKeyFrom(instant: Instant): string {
  return String(instant).padStart(DIGITS, "0");
}
