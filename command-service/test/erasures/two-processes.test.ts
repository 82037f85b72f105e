import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import { isExistingBooking } from "@travel-booking/domain";
import { openFolderBlobStore } from "@travel-booking/engines/blob-store/folder";
import type { EventStore } from "@travel-booking/engines/event-store";
import { Leases } from "@travel-booking/engines/leases";
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
  return (name: string) => {
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
    const erasures = new Erasures(services, new Leases(state, name, { now: () => 0, pause: () => setImmediate() }));
    const read = async () => Buffer.concat((await (await uploads.read(FILE))?.toArray()) ?? []);
    return { service, services, uploads, erasures, read };
  };
}

test.each([
  ["two of a party", [0, 1]],
  ["one of a party, twice", [0, 0]],
])("two processes erase %s at once: what is left of the others can be read", async (_, places) => {
  const begin = await beginOn(path.join(folder, places.join("")));
  const [one, other] = [begin("one"), begin("other")];
  const { service, uploads } = one;
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
