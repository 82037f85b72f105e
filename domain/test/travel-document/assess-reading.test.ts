import { describe, expect, test } from "@jest/globals";
import { FILE_FAULTS, type NameMatch } from "../../src/index.ts";
import { assessReading, dayOf, validUntil } from "../../src/travel-document/assess-reading.ts";

const AT = Date.parse("2026-11-21T12:00:00Z");
const DEPARTS_AT = Date.parse("2027-03-01T09:00:00Z");
const ZONE = {
  documentCode: "P",
  surname: ["LOVELACE"],
  givenNames: ["ADA"],
  namesCutOff: false,
  expiresOn: "270901",
  number: "L898902C3",
};
/** What is told of it. */
const READ = { name: "LOVELACE/ADA", expiresOn: "2027-09-01", number: "L898902C3" };
const judge = (changes: object = {}, ...matches: readonly NameMatch[]) => {
  const names = (matches.length > 0 ? matches : (["other", "all"] as const)).map((match) => ({ name: "", match }));
  return assessReading({ outcome: "read", source: "text", zone: { ...ZONE, ...changes }, names }, DEPARTS_AT, AT);
};

describe("a zone", () => {
  test("that is good verifies the document, and says whose it may be", () => {
    const verified = { verdict: "verified", kind: "passport", passengers: [1], zoneName: "LOVELACE/ADA", read: READ };
    expect(judge()).toStrictEqual(verified);
    expect(judge({ documentCode: "V" })).toStrictEqual({ ...verified, kind: "visa" });
    for (const documentCode of ["I", "ID", "AC", "C"]) {
      expect(judge({ documentCode })).toStrictEqual({ ...verified, kind: "identity_card" });
    }
  });

  test.each<readonly [readonly number[], readonly NameMatch[]]>([
    [
      [0, 2],
      ["all", "some", "all", "doubtful"],
    ],
    [
      [1, 3],
      ["other", "some", "misread", "some"],
    ],
  ])("is that of the passengers %j, whom it fits best, of %j", (passengers, matches) => {
    expect(judge({}, ...matches)).toMatchObject({ verdict: "verified", passengers });
  });

  test("is that of those whose names have its order, if others fit as well", () => {
    const names = (
      [
        ["all", false],
        ["all", true],
        ["some", true],
      ] as const
    ).map(([match, isInOrder]) => ({
      name: "",
      match,
      isInOrder,
    }));
    const reading = { outcome: "read", source: "text", zone: ZONE, names } as const;
    expect(assessReading(reading, DEPARTS_AT, AT)).toMatchObject({ verdict: "verified", passengers: [1] });
  });

  test.each([
    ["expired yesterday", "261120", "The document has expired."],
    ["expired fifteen years ago", "111121", "The document has expired."],
    [
      "expires a day too soon",
      "270831",
      "The document must be valid until 2027-09-01 at least, six months after departure.",
    ],
    ["expires today", "261121", "The document must be valid until 2027-09-01 at least, six months after departure."],
  ])("that %s rejects it", (_, expiresOn, reason) => {
    const read = { ...READ, expiresOn: `20${expiresOn.replace(/(..)(..)(..)/, "$1-$2-$3")}` };
    expect(judge({ expiresOn })).toStrictEqual({ verdict: "rejected", kind: "passport", reason, read });
  });

  test("of nobody on the booking rejects it, unless that is in doubt", () => {
    const reason = "The name on the document is that of no passenger of the booking.";
    expect(judge({}, "other", "other")).toStrictEqual({ verdict: "rejected", kind: "passport", reason, read: READ });
    const open = { verdict: "open", kind: "passport", read: READ };
    expect(judge({}, "other", "doubtful")).toStrictEqual({ ...open, zoneName: "LOVELACE/ADA" });
    expect(judge({}, "misread", "doubtful")).toStrictEqual(open);
  });

  test.each([
    ["without a day of expiry", "<<<<<<", null],
    ["with a day there is not", "270231", null],
    ["that never ends, or ended long ago", "990101", "1999-01-01"],
    ["that ended more than fifteen years ago", "111120", "2011-11-20"],
  ])("%s is a person's to judge", (_, expiresOn, day) => {
    expect(judge({ expiresOn })).toStrictEqual({
      verdict: "open",
      kind: "passport",
      read: { ...READ, expiresOn: day },
    });
  });

  test("of a kind that is not known is a person's to judge", () => {
    expect(judge({ documentCode: "X" })).toStrictEqual({ verdict: "open", kind: "unknown", read: READ });
  });
});

test("what is wrong with a file rejects it, with a reason of its own", () => {
  const reasons = FILE_FAULTS.map((fault) => {
    const judged = assessReading({ outcome: "faulty", fault }, DEPARTS_AT, AT);
    return judged.verdict === "rejected" ? judged.reason : "";
  });
  expect(new Set(reasons).size).toBe(FILE_FAULTS.length);
  expect(reasons).not.toContain("");
});

test("wrong check digits reject it; what can't be read is left open", () => {
  expect(assessReading({ outcome: "wrong_check_digits", documentCode: "V" }, DEPARTS_AT, AT)).toStrictEqual({
    verdict: "rejected",
    kind: "visa",
    reason: "The check digits of the machine-readable zone are wrong.",
  });
  expect(assessReading({ outcome: "unreadable", documentCode: "P" }, DEPARTS_AT, AT)).toStrictEqual({
    verdict: "open",
    kind: "passport",
  });
  expect(assessReading({ outcome: "unreadable", documentCode: null }, DEPARTS_AT, AT)).toStrictEqual({
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
