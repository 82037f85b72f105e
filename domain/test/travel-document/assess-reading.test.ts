import { describe, expect, test } from "@jest/globals";
import { FILE_FAULTS } from "../../src/index.ts";
import { assessReading, dayOf, validUntil } from "../../src/travel-document/assess-reading.ts";

const AT = Date.parse("2026-11-21T12:00:00Z");
const JOURNEY = {
  passengers: [{ name: "Alan Turing" }, { name: "Ada Lovelace" }],
  departsAt: Date.parse("2027-03-01T09:00:00Z"),
};
const ZONE = { documentCode: "P", surname: ["LOVELACE"], givenNames: ["ADA"], namesCutOff: false, expiresOn: "270901" };
const judge = (changes: object = {}, source: "text" | "scan" = "text") =>
  assessReading({ outcome: "read", source, zone: { ...ZONE, ...changes } }, JOURNEY, AT);

describe("a zone", () => {
  test("that is good verifies the document, and says whose it is", () => {
    expect(judge()).toStrictEqual({
      verdict: "verified",
      kind: "passport",
      passengers: [1],
      zoneName: "LOVELACE/ADA",
    });
    expect(judge({ documentCode: "V" })).toMatchObject({ verdict: "verified", kind: "visa" });
    for (const documentCode of ["I", "ID", "AC", "C"]) {
      expect(judge({ documentCode })).toMatchObject({ verdict: "verified", kind: "identity_card" });
    }
  });

  test("is every passenger's of that name", () => {
    const journey = { ...JOURNEY, passengers: [{ name: "Ada Lovelace" }, { name: "LOVELACE ADA" }] };
    const judged = assessReading({ outcome: "read", source: "text", zone: ZONE }, journey, AT);
    expect(judged).toMatchObject({ passengers: [0, 1] });
  });

  test.each([
    ["expired yesterday", "261120", "The document has expired."],
    [
      "expires a day too soon",
      "270831",
      "The document must be valid until 2027-09-01 at least, six months after departure.",
    ],
    ["expires today", "261121", "The document must be valid until 2027-09-01 at least, six months after departure."],
  ])("that %s rejects it", (_, expiresOn, reason) => {
    expect(judge({ expiresOn })).toStrictEqual({ verdict: "rejected", kind: "passport", reason });
  });

  test("of nobody on the booking rejects it, if it was read for certain", () => {
    const other = { surname: ["HOPPER"], givenNames: ["GRACE"] };
    const reason = "The name on the document is that of no passenger of the booking.";
    expect(judge(other)).toStrictEqual({ verdict: "rejected", kind: "passport", reason });
    expect(judge(other, "scan")).toStrictEqual({ verdict: "rejected", kind: "passport", reason });
    expect(judge({ givenNames: ["BADA"] }, "text")).toMatchObject({ verdict: "rejected" });
    expect(judge({ givenNames: ["BADA"] }, "scan")).toStrictEqual({
      verdict: "open",
      kind: "passport",
      read: { name: "LOVELACE/BADA", expiresOn: "2027-09-01" },
    });
  });

  test.each([
    ["without a day of expiry", { expiresOn: "<<<<<<" }],
    ["with a day there is not", { expiresOn: "270231" }],
    ["with a name that fits in part", { givenNames: ["ADA"], surname: ["LOVELACE", "KING"] }],
  ])("%s is a person's to judge", (_, changes) => {
    expect(judge(changes)).toMatchObject({ verdict: "open", kind: "passport" });
  });

  test("of a name that can't be compared tells how the document writes it", () => {
    expect(judge({ givenNames: ["ADA"], surname: ["LOVELACE", "KING"] })).toStrictEqual({
      verdict: "open",
      kind: "passport",
      zoneName: "LOVELACE KING/ADA",
      read: { name: "LOVELACE KING/ADA", expiresOn: "2027-09-01" },
    });
  });

  test("of a kind that is not known is a person's to judge", () => {
    expect(judge({ documentCode: "X" })).toStrictEqual({
      verdict: "open",
      kind: "unknown",
      read: { name: "LOVELACE/ADA", expiresOn: "2027-09-01" },
    });
  });

  test("of an expiry that is no date tells the name alone", () => {
    expect(judge({ expiresOn: "991399" })).toStrictEqual({
      verdict: "open",
      kind: "passport",
      read: { name: "LOVELACE/ADA", expiresOn: null },
    });
  });
});

test("what is wrong with a file rejects it, with a reason of its own", () => {
  const reasons = FILE_FAULTS.map((fault) => {
    const judged = assessReading({ outcome: "faulty", fault }, JOURNEY, AT);
    return judged.verdict === "rejected" ? judged.reason : "";
  });
  expect(new Set(reasons).size).toBe(FILE_FAULTS.length);
  expect(reasons).not.toContain("");
});

test("wrong check digits reject it; what can't be read is left open", () => {
  expect(assessReading({ outcome: "wrong_check_digits", documentCode: "V" }, JOURNEY, AT)).toStrictEqual({
    verdict: "rejected",
    kind: "visa",
    reason: "The check digits of the machine-readable zone are wrong.",
  });
  expect(assessReading({ outcome: "unreadable", documentCode: "P" }, JOURNEY, AT)).toStrictEqual({
    verdict: "open",
    kind: "passport",
  });
  expect(assessReading({ outcome: "unreadable", documentCode: null }, JOURNEY, AT)).toStrictEqual({
    verdict: "open",
    kind: "unknown",
  });
});

test.each([
  ["2027-03-01T00:00:00Z", "2027-09-01"],
  ["2027-08-31T23:59:59Z", "2028-02-29"],
  ["2026-08-31T12:00:00Z", "2027-02-28"],
  ["2027-12-31T12:00:00Z", "2028-06-30"],
])("six months after %s are over on %s", (departsAt, day) => {
  expect(validUntil(Date.parse(departsAt))).toBe(day);
});

test.each([
  ["270901", "2027-09-01"],
  ["751231", "2075-12-31"],
  ["761231", "1976-12-31"],
  ["991231", "1999-12-31"],
  ["280229", "2028-02-29"],
  ["270229", undefined],
  ["27<<<<", undefined],
])("%s means %s", (text, day) => {
  expect(dayOf(text, AT)).toBe(day);
});
