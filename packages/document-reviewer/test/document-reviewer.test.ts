import { afterEach, describe, expect, test } from "@jest/globals";
import { DocumentReviewer, type DocumentReviewerOptions, ReadingFailed, ReviewerStopped } from "../src/index.ts";
import { cardZone, imageOfZone, passportZone, pdfWithZone, scannedPdf, visaZone } from "../testing/index.ts";

const ADA = { surname: "LOVELACE", givenNames: "ADA KING", expiresOn: "360101" };

/** On a busy machine the process that reads comes last. */
const PATIENT_MS = 240_000;

let reviewer = new DocumentReviewer();
afterEach(() => reviewer.stop());
function begin(options?: DocumentReviewerOptions): void {
  reviewer = new DocumentReviewer({ timeoutMs: PATIENT_MS, ...options });
}

const read = (source: "text" | "scan", documentCode = "P") => ({
  outcome: "read",
  source,
  zone: { documentCode, surname: ["LOVELACE"], givenNames: ["ADA", "KING"], namesCutOff: false, expiresOn: "360101" },
});

describe("the reviewer reads", () => {
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

describe("the reading process", () => {
  test("is ended when it takes too long, and another one reads the next", async () => {
    begin({ timeoutMs: 1 });
    const content = await pdfWithZone(passportZone(ADA));
    await expect(reviewer.read(content, "application/pdf")).rejects.toBeInstanceOf(ReadingFailed);
    expect(reviewer.pid).toBeUndefined();
    reviewer.stop();
    begin();
    expect(await reviewer.read(content, "application/pdf")).toStrictEqual(read("text"));
  });

  test("ends itself where it needs too much memory", async () => {
    begin({ maxMemoryBytes: 1_000_000 });
    const reading = reviewer.read(await pdfWithZone(passportZone(ADA)), "application/pdf");
    await expect(reading).rejects.toThrow("SIGKILL");
  });

  test("may be killed at any time", async () => {
    begin();
    const content = await pdfWithZone(passportZone(ADA));
    await reviewer.read(content, "application/pdf");
    const scan = await (await imageOfZone(passportZone(ADA))).png().toBuffer();
    const killed = reviewer.read(scan, "image/png");
    const next = reviewer.read(content, "application/pdf");
    setImmediate(() => process.kill(reviewer.pid as number, "SIGKILL"));
    await expect(killed).rejects.toBeInstanceOf(ReadingFailed);
    expect(await next).toStrictEqual(read("text"));
  });

  test("is there only while it is needed", async () => {
    begin({ idleMs: 0 });
    await reviewer.read(await pdfWithZone([]), "application/pdf");
    while (reviewer.pid !== undefined) await new Promise((resolve) => setImmediate(resolve));
  });

  test("is stopped with the reviewer, which says that nothing was learnt", async () => {
    begin();
    const reading = reviewer.read(await pdfWithZone([]), "application/pdf");
    await new Promise((resolve) => setImmediate(resolve));
    reviewer.stop();
    await expect(reading).rejects.toBeInstanceOf(ReviewerStopped);
    await expect(reviewer.read(Buffer.alloc(1), "image/png")).rejects.toBeInstanceOf(ReviewerStopped);
  });
});
