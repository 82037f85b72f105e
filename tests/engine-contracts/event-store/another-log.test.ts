import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AnotherLog, NO_STREAM, type ReadModelMark, START } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import { BackgroundReader } from "./kit/reader.ts";
import { waitUntil } from "./kit/until.ts";
import { useDouble } from "./kit/use-double.ts";

const server = useDouble();
const FAST = { backOff: { initialMs: 5, maxMs: 50 } };
let copies: string;

beforeEach(() => {
  copies = mkdtempSync(join(tmpdir(), "travel-booking-logs-"));
});
afterEach(() => rmSync(copies, { recursive: true }));

/** Copies the log that the server has. */
async function copyLog(name: string): Promise<string> {
  await server.double.kill();
  cpSync(server.double.dataDir, join(copies, name), { recursive: true });
  await server.double.restart();
  return join(copies, name);
}

async function putLog(from: string): Promise<void> {
  await server.double.kill();
  const { dataDir } = server.double;
  for (const file of readdirSync(dataDir)) rmSync(join(dataDir, file), { recursive: true });
  cpSync(from, dataDir, { recursive: true });
  await server.double.restart();
}

function openObserved() {
  const told: string[] = [];
  const store = server.open({
    ...FAST,
    onProblem: ({ name }) => told.push(name),
    onRecovered: () => told.push("recovered"),
  });
  const another = () => told.filter((name) => name === "AnotherLog").length;
  return { store, another };
}

const newStream = () => `booking-${randomUUID()}`;

test("an older copy under a writer: nothing is appended, and with the right log back it goes on by itself", async () => {
  const { store, another } = openObserved();
  await store.append(newStream(), NO_STREAM, [anEvent()]);
  const older = await copyLog("older");
  await waitUntil(() => store.ping());
  const seen = await store.append(newStream(), NO_STREAM, [anEvent()]);
  const right = await copyLog("right");

  await putLog(older);
  const head = await server.open().head();
  // While the connection is lost it is out of reach; nothing gets through before the log is compared.
  let refused: unknown;
  await waitUntil(async () => {
    refused = await store.append(newStream(), NO_STREAM, [anEvent()]).catch((error: unknown) => error);
    return refused instanceof AnotherLog;
  });
  expect(refused).toMatchObject({ outcomeUnknown: false, mark: { position: seen.position } });
  expect(await server.open().head()).toBe(head);
  expect(store.knownLog.problem).toBeInstanceOf(AnotherLog);
  await expect(store.readStream("booking-1")).rejects.toBeInstanceOf(AnotherLog);
  await expect(store.ping()).rejects.toBeInstanceOf(AnotherLog);
  expect(another()).toBe(1);

  await putLog(right);
  await waitUntil(() => store.knownLog.problem === undefined);
  const next = await store.append(newStream(), NO_STREAM, [anEvent()]);
  expect(next.position > seen.position).toBe(true);
  expect(another()).toBe(1);
});

test("a log that the read models were not made from; it is taken once all of them are built anew", async () => {
  const { store } = openObserved();
  const { position } = await store.append(newStream(), NO_STREAM, [anEvent()]);
  let changes = 0;
  let marks: readonly ReadModelMark[] = [
    { build: "bookings@1", position, id: randomUUID() },
    { build: "flights@1", position: START, id: null },
  ];
  store.knownLog.compareWith(
    () => marks,
    () => {
      changes += 1;
    },
  );
  await expect(store.knownLog.verify()).rejects.toBeInstanceOf(AnotherLog);
  marks = [{ build: "bookings@2", position, id: await id(store, position) }, ...marks.slice(1)];
  await waitUntil(() => store.knownLog.problem === undefined);
  expect(changes).toBe(2);
});

test("what this process has appended counts until all read models are built anew", async () => {
  const { store } = openObserved();
  const build = { position: START, id: null };
  let marks: readonly ReadModelMark[] = [
    { ...build, build: "bookings@1" },
    { ...build, build: "flights@1" },
  ];
  store.knownLog.compareWith(
    () => marks,
    () => undefined,
  );
  const older = await copyLog("older");
  await waitUntil(() => store.ping());
  await store.append(newStream(), NO_STREAM, [anEvent()]);
  await putLog(older);
  await waitUntil(() => store.ping().catch((error: unknown) => error instanceof AnotherLog));
  marks = [{ ...build, build: "bookings@2" }, ...marks.slice(1)];
  await expect(store.knownLog.verify()).rejects.toBeInstanceOf(AnotherLog);
  marks = marks.map((mark) => ({ ...mark, build: mark.build.replace("@1", "@2") }));
  await store.knownLog.verify();
  await store.append(newStream(), NO_STREAM, [anEvent()]);
});

test("a subscription ends where the log it resumes on is another one", async () => {
  const { store } = openObserved();
  const older = await copyLog("older");
  await waitUntil(() => store.ping());
  const reader = new BackgroundReader(store, START, { afterEvent: null });
  const event = anEvent();
  await store.append(newStream(), NO_STREAM, [event]);
  await reader.waitForEvent(event.id);
  await putLog(older);
  await expect(reader.waitForEvent("none")).rejects.toBeInstanceOf(AnotherLog);
});

async function id(store: ReturnType<typeof openObserved>["store"], position: bigint): Promise<string | null> {
  return (await store.eventIdAt(position)) ?? null;
}
