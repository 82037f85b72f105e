import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { bookingDecider, documentsOf, reviewDocument } from "@travel-booking/domain";
import { openFolderBlobStore } from "@travel-booking/engines/blob-store/folder";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { SealedEventStore } from "../../src/command-handling/sealed-event-store.ts";
import { sweepAbandonedUploads } from "../../src/documents/document-files.ts";
import { UploadStore } from "../../src/documents/uploads.ts";
import { type CommandServices, commandRoutes } from "../../src/index.ts";
import { runSaga } from "../../src/processes/run-saga.ts";
import { apiRequest, NO_DOCUMENTS } from "../../testing/index.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { ADA } from "../support/sample.ts";
import { type ExternalSystems, Service } from "../support/service.ts";

const PDF = Buffer.from("%PDF-1.7 a passport, as far as the reviewer here cares");
const COMMAND_ID = "00000000-0000-4000-8000-000000000001";
const FAR_FUTURE = Number.MAX_SAFE_INTEGER;

let folder: string;
let disk: ExternalSystems;
let bookingId: string;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "files-"));
  const service = await Service.start();
  disk = service.systems;
  bookingId = (await service.book({ passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }] })).body.id;
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** A process on the disk of the ones before it, that dies at this step: from then on it reaches no store. */
async function start(point?: string): Promise<CommandServices> {
  const { services } = new Service(disk, point);
  let dead = false;
  const reachedFaultPoint = (name: string) => {
    try {
      services.reachedFaultPoint(name);
    } catch (crash) {
      dead = true;
      throw crash;
    }
  };
  const whileAlive = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (dead) throw new ProcessCrashed();
    return work();
  };
  const words = new SealedWords({ state: disk.state, secretKey: "secret", shared: false });
  const store = new UploadStore(
    await openFolderBlobStore(folder),
    disk.state,
    words,
    new SealedEventStore(disk.store, words),
  );
  const uploads: CommandServices["documents"]["uploads"] = {
    begin: (...of) => whileAlive(() => store.begin(...of)),
    store: (...of) => whileAlive(() => store.store(...of)),
    read: (...of) => whileAlive(() => store.read(...of)),
    complete: (...of) => whileAlive(() => store.complete(...of)),
    discard: (...of) => whileAlive(() => store.discard(...of)),
    sealAnew: (...of) => whileAlive(() => store.sealAnew(...of)),
    listBegunBefore: (...of) => whileAlive(() => store.listBegunBefore(...of)),
  };
  const reviewer = {
    ...NO_DOCUMENTS.reviewer,
    read: async () => ({ outcome: "unreadable", documentCode: null }) as const,
  };
  return { ...services, reachedFaultPoint, documents: { uploads, reviewer } };
}

/** One upload under one command id, as the HTTP layer drives it: the file first, then the command. */
async function upload(services: CommandServices, repeated: boolean): Promise<number> {
  const route = commandRoutes(services).find(({ operation }) => operation.id === "uploadDocument");
  if (route?.upload === undefined) throw new Error("no route for uploads");
  const asked = { accountId: ADA, params: { id: bookingId }, command: { commandId: COMMAND_ID, repeated } };
  const file = { fileName: "pass.pdf", content: Readable.from([PDF]) };
  const staged = await route.upload.take(apiRequest(asked), file as never);
  if ("status" in staged) return staged.status;
  const { body } = staged;
  const { status } = await route.handler(apiRequest({ ...asked, body }));
  await staged.settle(true);
  return status;
}

async function documents() {
  const { handler } = await start();
  return handler.readState({
    stream: `booking-${bookingId}`,
    decider: bookingDecider,
    reply: (state) => documentsOf(state).map(({ documentId, awaits }) => ({ documentId, awaits })),
  });
}

/** Every upload is settled, and there is one file for each document. */
async function expectSettled(count: number): Promise<void> {
  await sweepAbandonedUploads(await start(), FAR_FUTURE);
  expect(await (await start()).documents.uploads.listBegunBefore(FAR_FUTURE, 10)).toStrictEqual([]);
  expect(await documents()).toHaveLength(count);
  expect(fs.readdirSync(folder)).toHaveLength(count);
}

describe("a process that dies while it takes a document in", () => {
  const POINTS = [
    ["document:begun", 0],
    ["document:stored", 0],
    ["document:recorded", 1],
  ] as const;

  test.each(POINTS)("at %s: nobody asking again, it is there whole or not at all", async (point, count) => {
    await expect(upload(await start(point), false)).rejects.toThrow(ProcessCrashed);
    await expectSettled(count);
  });

  test.each(POINTS.map(([point]) => point))("at %s: a retry makes it once", async (point) => {
    await expect(upload(await start(point), false)).rejects.toThrow(ProcessCrashed);
    expect(await upload(await start(), true)).toBe(201);
    await expectSettled(1);
    expect(await upload(await start(), true)).toBe(201);
    await expectSettled(1);
  });
});

test("a process that dies while it removes an abandoned file: the next sweep removes it", async () => {
  await expect(upload(await start("document:stored"), false)).rejects.toThrow(ProcessCrashed);
  await expect(sweepAbandonedUploads(await start("upload:closed"), FAR_FUTURE)).rejects.toThrow(ProcessCrashed);
  expect(fs.readdirSync(folder)).toHaveLength(1);
  await expectSettled(0);
});

test.each(["review:read", "review:recorded"])(
  "a process that dies at %s: the document is reviewed once",
  async (point) => {
    expect(await upload(await start(), false)).toBe(201);
    const [{ documentId = "" } = {}] = await documents();
    const review = (services: CommandServices) => runSaga(services, reviewDocument(bookingId, documentId, 1));
    await disk.newEvents();
    await expect(review(await start(point))).rejects.toThrow(ProcessCrashed);
    const { result } = await review(await start());
    expect(result).toBe(point === "review:read" ? "operator" : "settled");
    expect(await disk.newEvents()).toHaveLength(1);
    expect(await documents()).toStrictEqual([{ documentId, awaits: "operator" }]);
  },
);
