import { afterAll, expect, test } from "@jest/globals";
import {
  cardZone,
  imageOfZone,
  NUMBERS_READ,
  newReviewer,
  passportZone,
  scannedPdf,
  visaZone,
} from "@travel-booking/document-reviewer/testing";

const ADA = { surname: "LOVELACE", givenNames: "ADA KING", expiresOn: "360101" };

const reviewer = newReviewer();
afterAll(() => reviewer.stop());

test.each([
  ["a visa", "V", visaZone(ADA)],
  ["an identity card", "I", cardZone(ADA)],
])("%s is read from a picture, and from a PDF that is one", async (_, documentCode, zone) => {
  const names = { surname: ["LOVELACE"], givenNames: ["ADA", "KING"], namesCutOff: false };
  const zoneRead = {
    documentCode,
    ...names,
    expiresOn: "360101",
    number: NUMBERS_READ[documentCode as keyof typeof NUMBERS_READ],
  };
  const read = { outcome: "read", source: "scan", zone: zoneRead, names: [] };
  const scan = await (await imageOfZone(zone)).png().toBuffer();
  expect(await reviewer.read(scan, "image/png")).toStrictEqual(read);
  expect(await reviewer.read(await scannedPdf(scan), "application/pdf")).toStrictEqual(read);
});

test.each([90, 180, 270])("a photograph turned by %d degrees is read", async (turn) => {
  const photograph = await (await imageOfZone(passportZone(ADA), turn)).jpeg().toBuffer();
  // What is read in the fillers behind a name may be taken for letters of it.
  expect(await reviewer.read(photograph, "image/jpeg")).toMatchObject({
    outcome: "read",
    source: "scan",
    zone: { documentCode: "P", surname: ["LOVELACE"], expiresOn: "360101" },
  });
});

test("wrong check digits of a scan may be the scan's fault: it is unreadable", async () => {
  const [first, second] = passportZone(ADA);
  const scan = await (await imageOfZone([first, second.replace("360101", "460101")])).png().toBuffer();
  expect(await reviewer.read(scan, "image/png")).toStrictEqual({ outcome: "unreadable", documentCode: "P" });
});
