import { Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import { ReadingFailed, ReadingTimeout, ReviewerStopped } from "@travel-booking/document-reviewer";
import { type ComparedReading, documentsOf, reviewDocument, type UploadDocument } from "@travel-booking/domain";
import { type EventStore, EventStoreUnavailable } from "@travel-booking/engines/event-store";
import { sealContent, unsealContent } from "@travel-booking/read-models/sealed-words";
import { systemContext } from "../../src/command-handling/command.ts";
import { MAX_ATTEMPTS, sweepAbandonedUploads } from "../../src/documents/document-files.ts";
import { RepeatedReviews } from "../../src/documents/repeated-reviews.ts";
import type { PendingUpload } from "../../src/documents/uploads.ts";
import { runSaga } from "../../src/processes/run-saga.ts";
import type { CommandServices, DocumentServices, Reviewer } from "../../src/services.ts";
import { bookingStream } from "../../src/streams.ts";
import { NO_DOCUMENTS } from "../../testing/index.ts";
import { FailingEventStore } from "../outages/failing-event-store.ts";
import { ADA } from "../support/sample.ts";
import { ExternalSystems, Service } from "../support/service.ts";

/** Files in memory, and what was done with them. */
class Files {
  readonly begun: PendingUpload[] = [];
  readonly done: string[] = [];
  readonly services: CommandServices;
  content: AsyncIterable<Buffer> | readonly Buffer[] = [Buffer.from("x")];

  constructor(services: CommandServices, reviewer: Reviewer) {
    const unused = async (): Promise<never> => {
      throw new Error("not asked for here");
    };
    const uploads: DocumentServices["uploads"] = {
      begin: unused,
      store: unused,
      read: async () => Readable.from(this.content),
      complete: async (id) => void this.done.push(`settled ${id}`),
      discard: async (id) => void this.done.push(`discarded ${id}`),
      sealAnew: unused,
      listBegunBefore: async () => this.begun,
    };
    this.services = { ...services, documents: { uploads, reviewer } };
  }
}

async function begin(read: Reviewer["read"], store?: EventStore) {
  const service = await Service.start(undefined, new ExternalSystems(store));
  const { body } = await service.book({ passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }] });
  const files = new Files(service.services, { ...NO_DOCUMENTS.reviewer, read });
  const record = (uploadId: string, documentId: string) => {
    const command: UploadDocument = {
      type: "UploadDocument",
      accountId: ADA,
      documentId,
      uploadId,
      fileName: "pass.pdf",
      contentType: "application/pdf",
      sizeBytes: 1,
      sha256: "00",
    };
    const context = systemContext(files.services);
    return files.services.handler.execute({
      ...bookingStream(body.id),
      command,
      context,
      reply: () => undefined,
    });
  };
  const rename = (name: string) =>
    files.services.handler.execute({
      ...bookingStream(body.id),
      command: {
        type: "ChangeBooking",
        accountId: ADA,
        passengers: [{ name, email: "ada@example.com" }],
      },
      context: systemContext(files.services),
      reply: () => undefined,
    });
  const look = () =>
    files.services.handler.readState({
      ...bookingStream(body.id),
      reply: (state) => documentsOf(state).map(({ status, awaits }) => ({ status, awaits })),
    });
  const review = async (attempt: number) =>
    (await runSaga(files.services, reviewDocument(body.id, "doc_1", attempt))).result;
  return { bookingId: body.id, files, record, rename, look, review };
}

const UNREADABLE: ComparedReading = { outcome: "unreadable", documentCode: null };

describe("a review", () => {
  test("that fails is tried again, and left to an operator after the last attempt", async () => {
    const { record, look, review } = await begin(() => Promise.reject(new ReadingFailed("it ended with SIGKILL")));
    await record("upl_1", "doc_1");
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      await expect(review(attempt)).rejects.toBeInstanceOf(ReadingFailed);
      expect(await look()).toStrictEqual([{ status: "pending", awaits: "reviewer" }]);
    }
    expect(await review(MAX_ATTEMPTS)).toBe("failed");
    expect(await look()).toStrictEqual([{ status: "pending", awaits: "operator" }]);
  });

  test("that takes too long is left to an operator at once", async () => {
    const { record, look, review } = await begin(() => Promise.reject(new ReadingTimeout("it took longer")));
    await record("upl_1", "doc_1");
    expect(await review(1)).toBe("failed");
    expect(await look()).toStrictEqual([{ status: "pending", awaits: "operator" }]);
  });

  test("that is stopped with the service is no attempt", async () => {
    const { record, look, review } = await begin(() => Promise.reject(new ReviewerStopped("stopped")));
    await record("upl_1", "doc_1");
    await expect(review(MAX_ATTEMPTS)).rejects.toBeInstanceOf(ReviewerStopped);
    expect(await look()).toStrictEqual([{ status: "pending", awaits: "reviewer" }]);
  });

  test("of a file whose key is erased is left to an operator at once", async () => {
    const { files, record, look, review } = await begin(async () => UNREADABLE);
    const sealed = sealContent({ id: "key", key: "A".repeat(43) }, "upl_1", Readable.from([Buffer.from("x")]));
    files.content = unsealContent(async () => null, "upl_1", sealed) as AsyncIterable<Buffer>;
    await record("upl_1", "doc_1");
    expect(await review(1)).toBe("failed");
    expect(await look()).toStrictEqual([{ status: "pending", awaits: "operator" }]);
  });

  test("that can't be recorded is recorded later, as it was read", async () => {
    let read = 0;
    const store = new FailingEventStore(true);
    const { bookingId, files, record, look } = await begin(async () => {
      read += 1;
      if (read < MAX_ATTEMPTS) throw new ReadingFailed("it ended with SIGKILL");
      return UNREADABLE;
    }, store);
    await record("upl_1", "doc_1");
    const reviews = new RepeatedReviews(files.services);
    const review = () => reviews.review(bookingId, "doc_1");
    for (let failed = 1; failed < MAX_ATTEMPTS; failed += 1) await expect(review()).rejects.toThrow(ReadingFailed);
    store.failFrom(0, "out of reach", MAX_ATTEMPTS);
    for (let lost = 0; lost < MAX_ATTEMPTS; lost += 1) await expect(review()).rejects.toThrow(EventStoreUnavailable);
    expect(read).toBe(MAX_ATTEMPTS);
    expect(await look()).toStrictEqual([{ status: "pending", awaits: "reviewer" }]);
    expect((await review()).result).toBe("operator");
    expect(read).toBe(MAX_ATTEMPTS);
  });

  test("of passengers who are renamed meanwhile is done again, three times at most", async () => {
    const compared: (readonly string[])[] = [];
    const { bookingId, files, record, rename, look } = await begin(async (_, _type, names) => {
      compared.push(names);
      await rename(`Ada Lovelace ${compared.length}`);
      const zone = { documentCode: "P", surname: [], givenNames: [], namesCutOff: false, expiresOn: "", number: "" };
      return { outcome: "read", source: "text", zone, names: names.map((name) => ({ name, match: "all" })) };
    });
    await record("upl_1", "doc_1");
    const reviews = new RepeatedReviews(files.services);
    const review = async () => (await reviews.review(bookingId, "doc_1")).result;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) expect(await review()).toBe("outdated");
    expect(await look()).toStrictEqual([{ status: "pending", awaits: "reviewer" }]);
    expect(await review()).toBe("failed");
    expect(await look()).toStrictEqual([{ status: "pending", awaits: "operator" }]);
    expect(compared).toStrictEqual([["Ada Lovelace"], ["Ada Lovelace 1"], ["Ada Lovelace 2"]]);
  });

  test("happens once, however often it is asked for", async () => {
    let read = 0;
    const { record, review } = await begin(async () => {
      read += 1;
      return UNREADABLE;
    });
    await record("upl_1", "doc_1");
    const both = await Promise.all([review(1), review(1)]);
    expect(both.sort()).toStrictEqual(["operator", "settled"]);
    expect(await review(1)).toBe("settled");
    expect(read).toBe(2);
  });
});

describe("the sweep", () => {
  test("keeps what is a document's, removes the rest, and refuses what comes late", async () => {
    const { bookingId, files, record, look } = await begin(async () => UNREADABLE);
    await record("upl_1", "doc_1");
    files.begun.push(
      { uploadId: "upl_1", bookingId, begunAt: 0 },
      { uploadId: "upl_2", bookingId, begunAt: 0 },
      { uploadId: "upl_3", bookingId: "bkg_none", begunAt: 0 },
    );
    expect(await sweepAbandonedUploads(files.services, 1)).toBe(3);
    expect(files.done).toStrictEqual(["settled upl_1", "discarded upl_2", "discarded upl_3"]);
    expect(await record("upl_2", "doc_2")).toMatchObject({ accepted: false, rejection: { code: "upload_closed" } });
    expect(await look()).toHaveLength(1);
  });
});
