import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import { isExistingBooking } from "@travel-booking/domain";
import { openFolderBlobStore } from "@travel-booking/engines/blob-store/folder";
import type { EventStore } from "@travel-booking/engines/event-store";
import { Leases } from "@travel-booking/engines/leases";
import { FaultyStateStore, ManualTime } from "@travel-booking/engines/leases/testing";
import { StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { systemContext } from "../../src/command-handling/command.ts";
import { SealedEventStore } from "../../src/command-handling/sealed-event-store.ts";
import { UploadStore } from "../../src/documents/uploads.ts";
import { Erasures } from "../../src/erasures/erasures.ts";
import type { OperatorServices } from "../../src/operator/operator-services.ts";
import { bookingStream } from "../../src/streams.ts";
import { ADA, party, plan } from "../support/sample.ts";
import { ExternalSystems, Service } from "../support/service.ts";

const folder = mkdtempSync(path.join(tmpdir(), "erasures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILE = "upl_1";
const SCAN = Buffer.from("a scan of the third one's passport");

/** Processes on the same stores, in each of which keys stay known for seconds after another has destroyed them. */
async function beginOn(blobFolder: string) {
  const systems = new ExternalSystems();
  const { state } = systems;
  const blobs = await openFolderBlobStore(blobFolder);
  return (name: string, leases = new Leases(state, name, { now: () => 0, pause: () => setImmediate() })) => {
    const words = new SealedWords({ state, secretKey: "secret", shared: true });
    const store = new SealedEventStore(systems.store, words);
    const { clock, ids } = systems;
    const disk = Object.assign(new ExternalSystems(store as unknown as EventStore), { state, clock, ids });
    const service = new Service(disk, undefined, name);
    const uploads = new UploadStore(blobs, state, words, store);
    const services = {
      ...service.services,
      ...{ words, store, state, documents: { ...service.services.documents, uploads } },
      removeTracesOfKeys: async () => "",
    } as unknown as OperatorServices;
    const erasures = new Erasures(services, leases);
    const read = async () => Buffer.concat((await (await uploads.read(FILE))?.toArray()) ?? []);
    return { service, services, uploads, erasures, read };
  };
}

type Process = ReturnType<Awaited<ReturnType<typeof beginOn>>>;

/** A booking of three that is over, with the passport of the third. */
async function bookingWithFile({ service, uploads }: Process): Promise<string> {
  await service.schedule(plan);
  const { id } = (await service.book({ passengers: party(3) })).body;
  const file = {
    uploadId: FILE,
    fileName: "a.pdf",
    contentType: "application/pdf",
    sizeBytes: 9,
    sha256: "00",
  } as const;
  await uploads.store({ uploadId: FILE, bookingId: id }, ADA, [SCAN] as never, "application/pdf");
  const document = { documentId: "doc_1", ...file };
  await service.onBooking(id, { type: "UploadDocument", accountId: ADA, ...document });
  await service.onBooking(id, { type: "VerifyDocument", documentId: "doc_1", kind: "passport", passenger: 2 });
  await service.cancel(id);
  return id;
}

test.each([
  ["two of a party", [0, 1]],
  ["one of a party, twice", [0, 0]],
])("two processes erase %s at once: what is left of the others can be read", async (_, places) => {
  const begin = await beginOn(path.join(folder, places.join("")));
  const [one, other] = [begin("one"), begin("other")];
  const id = await bookingWithFile(one);
  expect(await other.read()).toStrictEqual(SCAN);
  const erased = await Promise.all(
    places.map((passenger, index) => {
      const { erasures, services } = index === 0 ? one : other;
      return erasures.erase({ kind: "booking", id, passenger }, systemContext(services));
    }),
  );
  expect(erased.map((answer) => "report" in answer && answer.report.passenger)).toStrictEqual(places);
  const third = begin("third");
  expect(await third.read()).toStrictEqual(SCAN);
  const names = await third.services.handler.readState({
    ...bookingStream(id),
    reply: (booking) => (isExistingBooking(booking) ? booking.passengers.map(({ name }) => name) : []),
  });
  const left = party(3).map(({ name }, place) => (places.includes(place) ? "[erased]" : name));
  expect(names).toStrictEqual(left);
});

test("what is erased in batches lets another process's erasure in between", async () => {
  const begin = await beginOn(path.join(folder, "batches"));
  const time = new ManualTime();
  const state = new FaultyStateStore().store;
  const [one, other] = ["one", "other"].map((name) => begin(name, new Leases(state, name, time))) as [Process, Process];
  const id = await bookingWithFile(one);
  const story: string[] = [];
  const tell = (name: string) => (point: string) => void (point === "erasure:begun" && story.push(name));
  Object.assign(one.services, { reachedFaultPoint: tell("one") });
  Object.assign(other.services, { reachedFaultPoint: tell("other") });
  const batches = async () => {
    for (const passenger of [0, 1, 2])
      await one.erasures.eraseAll([{ kind: "booking", id, passenger }], systemContext(one.services));
  };
  const documents = { kind: "booking", id, documents: true } as const;
  const all = Promise.all([batches(), other.erasures.erase(documents, systemContext(other.services))]);
  for (let left = true; left; await time.advance(100)) left = (await Promise.race([all, setImmediate()])) === undefined;
  expect(story).toStrictEqual(["one", "other", "one", "one"]);
});

/** Work of a process whose lease ends when the test says so. */
function leasesThatEnd() {
  const lost = new AbortController();
  const leases = { runOnce: (_: string, work: (held: AbortSignal) => unknown) => work(lost.signal) };
  return { leases: leases as unknown as Leases, lose: () => lost.abort(new StateStoreUnavailable("lost")) };
}

test.each(["erasure:recorded", "erasure:files"])(
  "a process that has lost its turn at %s destroys no key, and the erasure is finished later",
  async (point) => {
    const begin = await beginOn(path.join(folder, point));
    const { leases, lose } = leasesThatEnd();
    const [one, other] = [begin("one", leases), begin("other")];
    const id = await bookingWithFile(one);
    const done: string[] = [];
    const { words, documents } = one.services;
    const { sealAnew } = documents.uploads;
    documents.uploads.sealAnew = (file) => {
      done.push("sealed anew");
      return sealAnew.call(documents.uploads, file);
    };
    words.keys.erase = async () => void done.push("destroyed");
    Object.assign(one.services, { reachedFaultPoint: (reached: string) => reached === point && lose() });
    const erasure = { kind: "booking", id, passenger: 0 } as const;
    await expect(one.erasures.erase(erasure, systemContext(one.services))).rejects.toThrow(StateStoreUnavailable);
    expect(done).toStrictEqual(point === "erasure:files" ? ["sealed anew"] : []);
    await other.erasures.restore();
    expect((await other.erasures.list()).map(({ erasedAt }) => erasedAt !== null)).toStrictEqual([true]);
    expect(await begin("third").read()).toStrictEqual(SCAN);
  },
);

test("an erasure ends where the state store is away, and a batch where the process stops", async () => {
  const begin = await beginOn(path.join(folder, "away"));
  const shared = new FaultyStateStore();
  const { erasures, services } = begin("one", new Leases(shared.store, "one", new ManualTime()));
  const erasure = { kind: "booking", id: "bkg_1" } as const;
  const stopped = erasures.eraseAll([erasure], systemContext(services), AbortSignal.abort(new Error("stopped")));
  await expect(stopped).rejects.toThrow("stopped");
  shared.fault = "lost-before";
  await expect(erasures.erase(erasure, systemContext(services))).rejects.toThrow(StateStoreUnavailable);
  expect(await erasures.list()).toStrictEqual([]);
});
