import { readFileSync } from "node:fs";
import type { Duplex } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import { silentLogger } from "@travel-booking/runtime";
import { PDFDocument } from "pdf-lib";
import sharp, { type Sharp } from "sharp";
import {
  type DocumentReviewer,
  type DocumentReviewerOptions,
  findIsolation,
  ReaderAway,
  ReadingFailed,
  ReadingTimeout,
  ReviewerStopped,
  startReader,
} from "../src/index.ts";
import {
  cardZone,
  imageOfZone,
  NUMBERS_READ,
  newReviewer,
  passportZone,
  pdfWithZone,
  scannedPdf,
  visaZone,
} from "../testing/index.ts";

const ADA = { surname: "LOVELACE", givenNames: "ADA KING", expiresOn: "360101" };

let reviewer: DocumentReviewer;
afterEach(() => reviewer.stop());
function begin(options?: Partial<DocumentReviewerOptions>): void {
  reviewer = newReviewer(options);
}

const read = (source: "text" | "scan", documentCode = "P") => ({
  outcome: "read",
  source,
  zone: {
    documentCode,
    surname: ["LOVELACE"],
    givenNames: ["ADA", "KING"],
    namesCutOff: false,
    expiresOn: "360101",
    number: NUMBERS_READ[documentCode as keyof typeof NUMBERS_READ],
  },
  names: [],
});

describe("the reviewer reads", () => {
  test("where its process has a lower priority than it asks for", async () => {
    const { programs } = await findIsolation();
    const isolation = { programs: ["/usr/bin/nice", "-n", "19", ...programs] };
    begin({ connect: () => startReader({ isolation, logger: silentLogger }) });
    expect(await reviewer.read(await pdfWithZone(passportZone(ADA)), "application/pdf")).toStrictEqual(read("text"));
  });

  test("a passport, from text and from a scan", async () => {
    begin();
    const zone = passportZone(ADA);
    expect(await reviewer.read(await pdfWithZone(zone), "application/pdf")).toStrictEqual(read("text"));
    const scan = await (await imageOfZone(zone)).png().toBuffer();
    expect(await reviewer.read(scan, "image/png")).toStrictEqual(read("scan"));
    expect(await reviewer.read(await scannedPdf(scan), "application/pdf")).toStrictEqual(read("scan"));
  });

  test.each([
    ["a visa", "V", visaZone(ADA)],
    ["an identity card", "I", cardZone(ADA)],
  ])("%s, from text", async (_, code, zone) => {
    begin();
    expect(await reviewer.read(await pdfWithZone(zone), "application/pdf")).toStrictEqual(read("text", code));
  });

  test("and compares passengers' names with the zone; a name in a picture may be misread", async () => {
    begin();
    const zone = passportZone(ADA);
    const of = ["Ada King Lovelace", "Ada Lovelace", "Ada Loveless", "Grace Hopper"];
    const matches = async (...[content, contentType]: Parameters<DocumentReviewer["read"]>) => {
      const reading = await reviewer.read(content, contentType, of);
      if (reading.outcome !== "read") throw new Error(reading.outcome);
      return reading.names.map(({ name, match }) => [name, match]);
    };
    const [all, some, like, other] = of;
    expect(await matches(await pdfWithZone(zone), "application/pdf")).toStrictEqual([
      [all, "all"],
      [some, "some"],
      [like, "other"],
      [other, "other"],
    ]);
    expect(await matches(await (await imageOfZone(zone)).png().toBuffer(), "image/png")).toStrictEqual([
      [all, "all"],
      [some, "some"],
      [like, "misread"],
      [other, "other"],
    ]);
  });

  test("that the check digits of a text are wrong", async () => {
    begin();
    const [first, second] = passportZone(ADA);
    const wrong = [first, second.replace("360101", "460101")];
    expect(await reviewer.read(await pdfWithZone(wrong), "application/pdf")).toStrictEqual({
      outcome: "wrong_check_digits",
      documentCode: "P",
    });
  });

  test("nothing where there are several documents", async () => {
    begin();
    const both = [...passportZone(ADA), ...passportZone({ ...ADA, surname: "BYRON" })];
    const reading = await reviewer.read(await pdfWithZone(both), "application/pdf");
    expect(reading).toStrictEqual({ outcome: "unreadable", documentCode: "P" });
  });
});

describe("the reviewer draws", () => {
  const side = async (picture: Uint8Array) => {
    const { format, width, height, exif, density } = await sharp(picture).metadata();
    return { format, width, height, exif, density };
  };

  test("a picture anew: upright, in its colours, of a bounded size, and with nothing else of the file", async () => {
    begin();
    const red = sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: "red" } });
    const file = await red
      .jpeg()
      .withExif({ IFD0: { Copyright: "SECRET" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(file.includes("Exif")).toBe(true);
    const drawn = await reviewer.draw(file, "image/jpeg");
    if (drawn.outcome !== "drawn") throw new Error(drawn.fault);
    expect(await side(drawn.picture)).toMatchObject({ format: "jpeg", width: 800, height: 1_600, exif: undefined });
    const [r, g] = await sharp(drawn.picture).raw().toBuffer();
    expect([Number(r) > 240, Number(g) < 20]).toStrictEqual([true, true]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "a picture that a camera has turned or mirrored (EXIF orientation %i)",
    async (orientation) => {
      begin();
      const colours = ["red", "lime", "blue", "black"];
      const quarters = colours.map((background, at) => ({
        input: { create: { width: 40, height: 30, channels: 3, background } } as const,
        left: 40 * (at % 2),
        top: 30 * Math.trunc(at / 2),
      }));
      const file = await sharp({ create: { width: 80, height: 60, channels: 3, background: "white" } })
        .composite(quarters)
        .jpeg()
        .withMetadata({ orientation })
        .toBuffer();
      const drawn = await reviewer.draw(file, "image/jpeg");
      if (drawn.outcome !== "drawn") throw new Error(drawn.fault);
      expect(await cornersOf(sharp(drawn.picture))).toStrictEqual(await cornersOf(sharp(file).autoOrient()));
    },
  );

  /** The size of a picture, and a dot of each quarter, black or full in each colour. */
  async function cornersOf(picture: Sharp) {
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const dots = [1, 3].flatMap((y) =>
      [1, 3].map((x) => {
        const at = (Math.trunc((info.height * y) / 4) * info.width + Math.trunc((info.width * x) / 4)) * info.channels;
        return [...data.subarray(at, at + 3)].map((value) => Math.round(value / 255));
      }),
    );
    return { width: info.width, height: info.height, dots };
  }

  test("the pages of a PDF below each other, each in as much room as the largest", async () => {
    begin();
    const pdf = await PDFDocument.create();
    pdf.addPage([100, 200]);
    const one = await reviewer.draw(Buffer.from(await pdf.save()), "application/pdf");
    expect(one.outcome).toBe("drawn");
    for (const size of [
      [100, 200],
      [200, 100],
    ] as const)
      pdf.addPage([...size]);
    const drawn = await reviewer.draw(Buffer.from(await pdf.save()), "application/pdf");
    if (drawn.outcome !== "drawn") throw new Error(drawn.fault);
    expect(await side(drawn.picture)).toMatchObject({ format: "jpeg", width: 1_600, height: 3 * 1_600 + 2 * 8 });
  });

  test("nothing that it would not read", async () => {
    begin();
    const file = Buffer.concat([
      await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
        .png()
        .toBuffer(),
      Buffer.from("<html>"),
    ]);
    expect(await reviewer.draw(file, "image/png")).toStrictEqual({ outcome: "faulty", fault: "mixed_formats" });
  });
});

describe("the reading process", () => {
  /** As `begin`; returns the streams to its processes, and how those ended. */
  async function watched(options: Partial<DocumentReviewerOptions> = {}, maxMemoryBytes?: number) {
    const isolation = await findIsolation();
    const streams: Duplex[] = [];
    const ends: { readonly code?: number; readonly signal?: string }[] = [];
    const logger = { warn: (fields: object) => void ends.push(fields) };
    const connect = async () => {
      const stream = await startReader({ isolation, logger, ...(maxMemoryBytes && { maxMemoryBytes }) });
      streams.push(stream);
      return stream;
    };
    begin({ connect, ...options });
    return { streams, ends };
  }

  /** Processes that this one has started, from the kernel. */
  const children = () =>
    readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "latin1").trim().split(" ").map(Number);

  const closed = async (stream: Duplex | undefined) => {
    while (stream?.closed !== true) await new Promise((resolve) => setImmediate(resolve));
  };

  test("is ended when it takes too long, and another one reads the next", async () => {
    const { streams, ends } = await watched({ timeoutMs: 1 });
    const content = await pdfWithZone(passportZone(ADA));
    await expect(reviewer.read(content, "application/pdf")).rejects.toBeInstanceOf(ReadingTimeout);
    await closed(streams[0]);
    reviewer.stop();
    begin();
    expect(await reviewer.read(content, "application/pdf")).toStrictEqual(read("text"));
    expect(ends).toStrictEqual([]);
  });

  test("ends itself where it needs too much memory", async () => {
    const { ends } = await watched({}, 1_000_000);
    const reading = reviewer.read(await pdfWithZone(passportZone(ADA)), "application/pdf");
    await expect(reading).rejects.toBeInstanceOf(ReadingFailed);
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // In a namespace of process ids a shell reports the second one.
    expect(["SIGKILL", 137]).toContain(ends[0]?.signal ?? ends[0]?.code);
  });

  test("may be killed at any time", async () => {
    const before = children();
    const { streams, ends } = await watched();
    const content = await pdfWithZone(passportZone(ADA));
    await reviewer.read(content, "application/pdf");
    const [pid = 0, ...others] = children().filter((child) => !before.includes(child));
    expect(others).toStrictEqual([]);
    const scan = await (await imageOfZone(passportZone(ADA))).png().toBuffer();
    const killed = reviewer.read(scan, "image/png");
    const next = reviewer.read(content, "application/pdf");
    setImmediate(() => process.kill(pid, "SIGKILL"));
    await expect(killed).rejects.toBeInstanceOf(ReadingFailed);
    expect(await next).toStrictEqual(read("text"));
    expect(streams.length).toBe(2);
    expect(ends).toStrictEqual([{ code: null, signal: "SIGKILL" }]);
  });

  test("is there only while it is needed", async () => {
    const { streams, ends } = await watched({ idleMs: 0 });
    await reviewer.read(await pdfWithZone([]), "application/pdf");
    await closed(streams[0]);
    expect(ends).toStrictEqual([]);
  });

  test("is stopped with the reviewer, which says that nothing was learnt", async () => {
    begin();
    const reading = reviewer.read(await pdfWithZone([]), "application/pdf");
    await new Promise((resolve) => setImmediate(resolve));
    reviewer.stop();
    await expect(reading).rejects.toBeInstanceOf(ReviewerStopped);
    await expect(reviewer.read(Buffer.alloc(1), "image/png")).rejects.toBeInstanceOf(ReviewerStopped);
  });

  test("that can't be had has read nothing", async () => {
    begin({ connect: () => Promise.reject(new Error("refused")) });
    await expect(reviewer.read(Buffer.alloc(1), "image/png")).rejects.toBeInstanceOf(ReaderAway);
  });
});
