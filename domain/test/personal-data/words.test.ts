import { describe, expect, test } from "@jest/globals";
import { ANSWER_WORDS, mapWords, mapWordsOfEvent, subjectOfStream, type WordKind } from "../../src/index.ts";

const mark = (word: string, kind: WordKind) => `${kind}:${word}`;

describe("the personal words of events (docs/privacy.md#what-is-sealed)", () => {
  test("names, addresses, the reference and the metadata of a booking, and nothing else of it", () => {
    const passengers = [{ name: "Ada", email: "a@b.c" }];
    const plain = { bookingId: "bkg_1", seats: ["1A"], passengerIds: ["psg_1"] };
    const data = { ...plain, passengers, reference: "R", metadata: [["k", "v"]] };
    expect(mapWordsOfEvent("BookingCreated", data, mark)).toStrictEqual({
      ...plain,
      passengers: [{ name: "text:Ada", email: "email:a@b.c" }],
      reference: "text:R",
      metadata: [["k", "text:v"]],
    });
    expect(data.passengers[0]?.name).toBe("Ada");
  });

  test("what is absent, null or empty stays so", () => {
    const change = { changeId: null, reference: null, seats: ["1A"] };
    expect(mapWordsOfEvent("BookingChanged", change, mark)).toStrictEqual(change);
    const changes = {
      passport: null,
      metadata: [
        ["kept", "a"],
        ["removed", ""],
      ],
    };
    expect(mapWordsOfEvent("PassengerChanged", { passengerId: "psg_1", changes }, mark)).toStrictEqual({
      passengerId: "psg_1",
      changes: {
        passport: null,
        metadata: [
          ["kept", "text:a"],
          ["removed", ""],
        ],
      },
    });
  });

  test("what was read in a passport, whatever became of it", () => {
    const read = { name: "LOVELACE/ADA", expiresOn: "2030-01-01", number: "L898902C3" };
    const marked = { name: "text:LOVELACE/ADA", expiresOn: "date:2030-01-01", number: "text:L898902C3" };
    const [data, named] = [{ documentId: "doc_1", kind: "passport" }, { zoneName: "LOVELACE/ADA" }];
    for (const type of ["DocumentVerified", "DocumentLeftToOperator"]) {
      const words = mapWordsOfEvent(type, { ...data, ...named, read }, mark);
      expect(words).toStrictEqual({ ...data, zoneName: "text:LOVELACE/ADA", read: marked });
    }
    const words = mapWordsOfEvent("DocumentRejected", { ...data, reason: "R", read }, mark);
    expect(words).toStrictEqual({ ...data, reason: "text:R", read: marked });
  });

  test("every field of a profile", () => {
    const details = {
      firstName: "A",
      lastName: "B",
      email: "c@d.e",
      dateOfBirth: "1815-12-10",
      nationality: "GB",
      passport: { number: "1", expiresOn: "2030-01-01", issuingCountry: "GB" },
      loyaltyNumber: "L",
      metadata: [],
      preferences: { seat: "window", meal: "vegan", cryosleep: true },
    };
    expect(mapWordsOfEvent("PassengerCreated", details, (_, kind) => kind)).toStrictEqual({
      firstName: "text",
      lastName: "text",
      email: "email",
      dateOfBirth: "date",
      nationality: "country",
      passport: { number: "text", expiresOn: "date", issuingCountry: "country" },
      loyaltyNumber: "text",
      metadata: [],
      preferences: { seat: "window", meal: "meal", cryosleep: true },
    });
  });

  test("an event without any is the same object", () => {
    const data = { name: "a flight" };
    expect(mapWordsOfEvent("FlightScheduled", data, mark)).toBe(data);
  });
});

test("the words of an answer are those of its events", () => {
  const body = {
    id: "pay_1",
    method: { bankTransfer: { reference: "RF18" } },
    metadata: { order: "7" },
    documents: ["scan.pdf"],
    reference: "R",
  };
  expect(mapWords(ANSWER_WORDS, body, mark)).toStrictEqual({
    ...body,
    metadata: { order: "text:7" },
    documents: ["text:scan.pdf"],
    reference: "text:R",
  });
});

test("the words of a stream are its booking's, saved passenger's or account's", () => {
  const streams = [
    "booking-bkg_1",
    "passenger-psg_1",
    "account-acc_1",
    "loyalty-acc_1",
    "flight-F-1",
    "passengerEmail-x",
  ];
  expect(streams.map(subjectOfStream)).toStrictEqual(["bkg_1", "psg_1", "acc_1", "acc_1", undefined, undefined]);
});

test("the words of stored events come in an order that never changes", () => {
  const profile = { firstName: "1", lastName: "2", email: "3", dateOfBirth: "4", nationality: "5", loyaltyNumber: "9" };
  const passport = { issuingCountry: "8", expiresOn: "7", number: "6" };
  const data = {
    preferences: { meal: "11" },
    metadata: [["key", "10"]],
    passport,
    ...profile,
    reference: "12",
    passengers: [{ email: "b", name: "a" }],
    zoneName: "z",
    read: { number: "n", expiresOn: "x", name: "m" },
  };
  const orderOf = (type: string) => {
    const words: string[] = [];
    mapWordsOfEvent(type, data, (word) => words.push(word));
    return words.join(" ");
  };
  expect(orderOf("PassengerCreated")).toBe("1 2 3 4 5 6 7 8 9 10 11");
  expect(orderOf("BookingCreated")).toBe("a b 12 10");
  expect(orderOf("DocumentVerified")).toBe("z m x n");
});
