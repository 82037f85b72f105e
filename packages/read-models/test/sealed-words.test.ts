import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { withSealsOnce } from "../src/index.ts";
import { keyIdsIn, SealedWords, type WordKey } from "../src/sealed-words/index.ts";

const ACCOUNT = `acc_${"a".repeat(32)}`;
const BOOKING = `bkg_${"b".repeat(32)}`;
const PASSENGER = `psg_${"c".repeat(32)}`;
const WORD = 'Ada "Countess" Löve\\lace \u{1F680}';

let state: InMemoryStateStore;
const open = (secretKey = "a secret") => new SealedWords({ state, secretKey, shared: false });
beforeEach(() => {
  state = new InMemoryStateStore();
});

async function keyOf(words: SealedWords, subject: string): Promise<WordKey | null> {
  if (subject === BOOKING) return words.keys.pages.next(ACCOUNT);
  return words.keys.findOrCreate(subject, ACCOUNT, subject === ACCOUNT);
}

function keyIdOf(sealed: string | undefined): string {
  const [keyId = ""] = keyIdsIn(JSON.stringify([sealed]));
  return keyId;
}

async function seal(words: SealedWords, subject: string, reason = WORD): Promise<string> {
  return words.sealEvent("BookingCancelled", { reason }, await keyOf(words, subject)).reason;
}

async function reveal(words: SealedWords, ...sealed: readonly string[]): Promise<readonly string[]> {
  return JSON.parse(await words.reveal(JSON.stringify(sealed)));
}

describe("personal words are sealed and revealed (docs/privacy.md)", () => {
  test("in any text of JSON, also after a restart; nothing of them shows in between", async () => {
    const sealed = await Promise.all([ACCOUNT, BOOKING, PASSENGER].map((subject) => seal(open(), subject)));
    expect(sealed.join()).not.toMatch(/Ada "|Countess/);
    expect(await reveal(open(), ...sealed, "plain")).toStrictEqual([WORD, WORD, WORD, "plain"]);
    expect(await open().revealValue({ deep: [{ name: sealed[1] }] })).toStrictEqual({ deep: [{ name: WORD }] });
  });

  test("a text without any is returned as it is", async () => {
    for (const json of ['{"name":"Ada"}', JSON.stringify({ name: "\x7fAda", reference: "\x7fa.t.b.0 a.b.c.1" })]) {
      expect(await open().reveal(json)).toBe(json);
    }
    const [keyId, seals] = ["k".repeat(13), "s".repeat(16)];
    expect(await reveal(open(), `\x7fAda\x7f${keyId}.t.${seals}.0`)).toStrictEqual(["\x7fAda[erased]"]);
  });

  test("a sealed word is bound to its key and its kind", async () => {
    const words = open();
    const [sealed, other] = [await seal(words, BOOKING), await seal(words, PASSENGER)];
    const keyId = keyIdOf(sealed);
    const asOther = sealed.replace(keyId, PASSENGER);
    const asDate = sealed.replace(`${keyId}.t`, `${keyId}.d`);
    expect(await reveal(words, asOther, other, sealed)).toStrictEqual(["[erased]", WORD, WORD]);
    expect(await reveal(words, asDate)).toStrictEqual(["0001-01-01"]);
  });

  test("a key that many words share is read once", async () => {
    const words = open();
    const key = await keyOf(words, BOOKING);
    const sealed = Array.from({ length: 100 }, (_, index) => {
      return words.sealEvent("BookingCancelled", { reason: `${index}` }, key).reason;
    });
    words.keys.forget();
    const get = jest.spyOn(state, "get");
    expect(await reveal(words, ...sealed)).toStrictEqual(Array.from({ length: 100 }, (_, index) => `${index}`));
    // Its page, and the key of its account.
    expect(get).toHaveBeenCalledTimes(2);
  });

  test("the words of an event are sealed together, and each unit of it is revealed alone", async () => {
    const words = open();
    const data = {
      passengers: [
        { name: "Ada", email: "ada@example.com" },
        { name: "Eve", email: "eve@example.com" },
      ],
      reference: "R",
      seats: ["1A"],
    };
    const key = await keyOf(words, BOOKING);
    const sealed = words.sealEvent("BookingCreated", data, key);
    const [, second] = sealed.passengers;
    expect(await open().revealValue(second)).toStrictEqual(data.passengers[1]);
    expect(await open().revealValue({ name: second?.name })).toStrictEqual({ name: "Eve" });
    expect(await open().revealValue({ reference: sealed.reference })).toStrictEqual({ reference: "R" });
    // In whatever order they stand.
    expect(await open().revealValue({ email: second?.email, name: second?.name })).toStrictEqual({
      email: "eve@example.com",
      name: "Eve",
    });
    expect(await open().revealValue(sealed)).toStrictEqual(data);
    // All of it together needs the seal once.
    const once = withSealsOnce(JSON.stringify([sealed, sealed]));
    expect(once.match(/[\w-]{50,}/g)).toHaveLength(1);
    expect(await open().reveal(once)).toBe(JSON.stringify([data, data]));
    expect(withSealsOnce(once)).toBe(once);
  });

  test("an answer is stored without its words, and revealed as it was", async () => {
    const words = open();
    const body = {
      id: BOOKING,
      passengers: [{ name: "Ada", email: "ada@example.com" }],
      documents: ["ada.pdf"],
      reference: "For Ada",
    };
    const key = await keyOf(words, BOOKING);
    words.findKey = async (subject) => (subject === BOOKING ? key : undefined);
    const stored = await words.sealAnswer(JSON.stringify(body));
    expect(stored).not.toMatch(/"Ada"|ada@|ada\.pdf|For Ada/);
    expect(await open().reveal(stored)).toBe(JSON.stringify(body));
    const payment = { id: `pay_${"b".repeat(44)}`, bookingId: BOOKING, metadata: { for: "Ada" } };
    expect(await words.sealAnswer(JSON.stringify(payment))).not.toMatch(/"Ada"/);
    const error = JSON.stringify({ statusCode: 404, message: "no booking with this id" });
    expect(await words.sealAnswer(error)).toBe(error);
  });
});

describe("a key that is erased", () => {
  test("leaves words of the shape of their field, everywhere and for good; others are as before", async () => {
    const words = open();
    const key = await keyOf(words, BOOKING);
    const data = {
      email: WORD,
      dateOfBirth: WORD,
      passport: { number: WORD, expiresOn: WORD, issuingCountry: WORD },
      preferences: { meal: WORD },
    };
    const sealed = words.sealEvent("PassengerCreated", data, key);
    const other = await seal(words, PASSENGER);
    await words.erase(key?.id ?? "");
    const erased = {
      email: "erased@erased.invalid",
      dateOfBirth: "0001-01-01",
      passport: { number: "[erased]", expiresOn: "0001-01-01", issuingCountry: "XX" },
      preferences: { meal: "standard" },
    };
    for (const each of [words, open()]) {
      expect(await each.revealValue({ sealed, other })).toStrictEqual({ sealed: erased, other: WORD });
    }
  });

  test("takes no words any more", async () => {
    const words = open();
    await seal(words, PASSENGER);
    await words.erase(PASSENGER);
    for (const each of [words, open()]) expect(await seal(each, PASSENGER)).toBe("[erased]");
  });

  test("of a booking leaves the others of its page", async () => {
    const words = open();
    const sealed = await Promise.all(["one", "two", "three"].map((word) => seal(words, BOOKING, word)));
    await words.erase(keyIdOf(sealed[1]));
    for (const each of [words, open()]) {
      expect(await reveal(each, ...sealed)).toStrictEqual(["one", "[erased]", "three"]);
    }
  });

  test.each([BOOKING, PASSENGER, ACCOUNT])("of %s is not kept by a read that began before", async (subject) => {
    const sealed = await seal(open(), subject);
    const words = open();
    const { get } = state;
    const held = Promise.withResolvers<void>();
    state.get = async (...of: Parameters<typeof get>) => {
      const found = await get.apply(state, of);
      await held.promise;
      return found as never;
    };
    const began = reveal(words, sealed);
    state.get = get;
    // The first step of the read has what there was.
    await Promise.resolve();
    await words.erase(subject === BOOKING ? keyIdOf(sealed) : subject);
    held.resolve();
    expect(await began).toStrictEqual(["[erased]"]);
    expect(await reveal(words, sealed)).toStrictEqual(["[erased]"]);
  });

  test("seals nothing more, though its page was being made meanwhile", async () => {
    const words = open();
    await words.keys.findOrCreate(ACCOUNT, ACCOUNT, true);
    const { create } = state;
    const held = Promise.withResolvers<void>();
    state.create = (async (...of: Parameters<typeof create>) => {
      await held.promise;
      return create.apply(state, of);
    }) as typeof create;
    const began = seal(words, BOOKING);
    await words.erase(ACCOUNT);
    held.resolve();
    expect(await began).toBe("[erased]");
  });

  test("is unknown to other processes after five seconds, whatever they were shown before", async () => {
    jest.useFakeTimers();
    try {
      const shared = () => new SealedWords({ state, secretKey: "a secret", shared: true });
      const [words, other] = [shared(), shared()];
      const [sealed, more] = [await seal(words, PASSENGER, "one"), await seal(words, PASSENGER, "two")];
      expect(await reveal(other, sealed)).toStrictEqual(["one"]);
      jest.advanceTimersByTime(4_900);
      expect(await reveal(other, more)).toStrictEqual(["two"]);
      await words.erase(ACCOUNT);
      jest.advanceTimersByTime(5_000);
      expect(await reveal(other, sealed, more)).toStrictEqual(["[erased]", "[erased]"]);
    } finally {
      jest.useRealTimers();
    }
  });

  test("of an account takes those of its bookings and passengers along", async () => {
    const words = open();
    const sealed = await Promise.all([ACCOUNT, BOOKING, PASSENGER].map((subject) => seal(words, subject)));
    await words.erase(ACCOUNT);
    for (const each of [words, open()]) expect(await reveal(each, ...sealed)).toStrictEqual(Array(3).fill("[erased]"));
    expect(await seal(words, BOOKING)).toBe("[erased]");
  });
});

test("under a new secret what was sealed before is lost, and new words are sealed", async () => {
  const before = await seal(open(), BOOKING);
  const words = open("a new secret");
  const after = await seal(words, BOOKING);
  expect(await reveal(words, before, after)).toStrictEqual(["[erased]", WORD]);
  expect(await reveal(open("a new secret"), after)).toStrictEqual([WORD]);
});

test("a request of an account has a name that is gone with the account's key", async () => {
  const words = open();
  const name = await words.requestKey(ACCOUNT, "a request");
  expect(await open().requestKey(ACCOUNT, "a request")).toBe(name);
  const others = [await words.requestKey(ACCOUNT, "another"), await words.requestKey(`${ACCOUNT}2`, "a request")];
  await words.erase(ACCOUNT);
  others.push(await words.requestKey(ACCOUNT, "a request"), await open().requestKey(ACCOUNT, "a request"));
  expect(new Set([name, ...others]).size).toBe(5);
});

describe("an e-mail address inside its account", () => {
  test("has a name that follows from the account's key, whatever the address's case", async () => {
    const words = open();
    await seal(words, ACCOUNT);
    const [name, same, other] = [
      await words.emailKey(ACCOUNT, "Ada@example.com"),
      await open().emailKey(ACCOUNT, "ada@EXAMPLE.com"),
      await words.emailKey(ACCOUNT, "eve@example.com"),
    ];
    expect(same).toBe(name);
    expect(other).not.toBe(name);
  });

  test("keeps the name it has, where the account was opened before there were keys", async () => {
    const words = open();
    const name = await words.emailKey(ACCOUNT, "ada@example.com");
    await seal(words, BOOKING);
    expect(await words.emailKey(ACCOUNT, "ada@example.com")).toBe(name);
  });
});
