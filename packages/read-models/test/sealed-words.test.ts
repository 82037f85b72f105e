import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { EventToAppend, RecordedEvent } from "@travel-booking/engines/event-store";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { sealBytes } from "@travel-booking/runtime/sealing";
import { keyIdOf, keyIdsOfEvent, SealedWords, type WordKey } from "../src/sealed-words/index.ts";
import { blockOf, openJson, sealJson, wordsOf } from "../src/sealed-words/sealed-json.ts";

const ACCOUNT = `acc_${"a".repeat(32)}`;
const BOOKING = `bkg_${"b".repeat(32)}`;
const PASSENGER = `psg_${"c".repeat(32)}`;
const WORD = 'Ada "Countess" Löve\\lace \u{1F680}\n\x7f';

let state: InMemoryStateStore;
const open = (secretKey = "a secret") => new SealedWords({ state, secretKey, shared: false });
beforeEach(() => {
  state = new InMemoryStateStore();
});

async function keyOf(words: SealedWords, subject: string): Promise<WordKey | null> {
  if (subject === BOOKING) return words.keys.pages.next(ACCOUNT);
  return words.keys.findOrCreate(subject, ACCOUNT, subject === ACCOUNT);
}

function eventOf(type: string, data: object): RecordedEvent {
  const metadata = { accountId: null, actor: { kind: "system", id: "x" }, requestId: null } as const;
  const origin = { ...metadata, commandId: "c", causationId: null };
  return { id: "1", type, version: 1, at: 1, data, metadata: origin, stream: "s", revision: 0, position: 1n };
}

const keyIdOfSealed = (event: EventToAppend) => keyIdOf(event.sealed ?? "");

async function seal(words: SealedWords, subject: string, reason = WORD): Promise<RecordedEvent> {
  return words.sealEvent(eventOf("BookingCancelled", { reason }), await keyOf(words, subject));
}

async function reasons(words: SealedWords, ...events: readonly RecordedEvent[]): Promise<readonly string[]> {
  return (await words.openEvents(events)).map(({ data }) => (data as { readonly reason: string }).reason);
}

describe("the words of an event stand in one block beside its data (docs/privacy.md)", () => {
  test("and nothing of them in it; they are put back, also after a restart", async () => {
    const sealed = await Promise.all([ACCOUNT, BOOKING, PASSENGER].map((subject) => seal(open(), subject)));
    expect(JSON.stringify(sealed.map(({ data }) => data))).not.toMatch(/Ada|Countess/);
    expect(sealed.map((event) => event.sealed ?? "").join()).not.toMatch(/Ada|Countess/);
    const plain = eventOf("BookingConfirmed", { bookingId: BOOKING });
    const opened = await open().openEvents([...sealed, plain]);
    expect(opened.map(({ data }) => data)).toStrictEqual([...Array(3).fill({ reason: WORD }), plain.data]);
    expect(opened[0]?.sealed).toBe(sealed[0]?.sealed);
  });

  test("in whatever order its fields stand, and what is null, absent or empty stays so", async () => {
    const words = open();
    const data = {
      reference: "R",
      seats: ["1A"],
      passengers: [
        { email: "ada@example.com", name: "Ada" },
        { name: "Eve", email: "eve@example.com" },
      ],
    };
    const events = [
      eventOf("BookingCreated", data),
      eventOf("BookingChanged", { reference: null, seats: [] }),
      eventOf("PassengerChanged", {
        changes: {
          metadata: [
            ["a", ""],
            ["b", "x"],
          ],
        },
      }),
    ];
    const key = await keyOf(words, BOOKING);
    const sealed = events.map((event) => words.sealEvent(event, key));
    expect(sealed[1]).toBe(events[1]);
    expect((await open().openEvents(sealed)).map((event) => event.data)).toStrictEqual(events.map(({ data }) => data));
  });

  test("bound to their key and their kinds", async () => {
    const words = open();
    const [event, other] = [await seal(words, BOOKING), await seal(words, PASSENGER)];
    const { sealed = "" } = event;
    const asOther = { ...event, sealed: sealed.replace(keyIdOf(sealed), PASSENGER) };
    const asDate = { ...event, sealed: sealed.replace(`${keyIdOf(sealed)}.t`, `${keyIdOf(sealed)}.d`) };
    expect(await reasons(words, asOther, other, event, asDate)).toStrictEqual(["[erased]", WORD, WORD, "0001-01-01"]);
  });

  test("whose key is read once for many events", async () => {
    const words = open();
    const key = await keyOf(words, BOOKING);
    const texts = Array.from({ length: 100 }, (_, index) => `${index}`);
    const sealed = texts.map((reason) => words.sealEvent(eventOf("BookingCancelled", { reason }), key));
    words.keys.forget();
    const get = jest.spyOn(state, "get");
    expect(await reasons(words, ...sealed)).toStrictEqual(texts);
    // Its page, and the key of its account.
    expect(get).toHaveBeenCalledTimes(2);
  });
});

test("a batch whose keys take long is opened, though keys are forgotten again and again meanwhile", async () => {
  const words = open();
  const sealed: RecordedEvent[] = [];
  for (let index = 0; index < 70; index += 1) sealed.push(await seal(words, BOOKING, `${index}`));
  words.keys.forget();
  const { get } = state;
  let gets = 0;
  state.get = async (...of: Parameters<typeof get>) => {
    gets += 1;
    if (gets <= 3) words.keys.forget();
    return (await get.apply(state, of)) as never;
  };
  expect(await reasons(words, ...sealed)).toStrictEqual(sealed.map((_, index) => `${index}`));
  // Two pages and their account, again where they were forgotten; never once for each key.
  expect(gets).toBeLessThan(30);
});

describe("words in JSON text", () => {
  const places = { fields: { name: "text", rest: { each: "email" } } } as const;
  /** What somebody may send who knows how words are stored. */
  const hostile = ['"\\u007f0"', "\x7f", '"\x7f0"', '\\"\\u007f1"', "\x7fkey.t.seal\n{}"];

  test("are put back in their places, whatever else it says", async () => {
    const key = { id: "key", key: Buffer.alloc(32, 7).toString("base64url") };
    const value = { plain: hostile, [hostile[0] ?? ""]: "", rest: [WORD, ""], name: WORD, none: null };
    const sealed = sealJson(places, value, key);
    expect(sealed).not.toMatch(/Countess/);
    const block = blockOf(sealed) ?? "";
    expect(keyIdOf(block)).toBe("key");
    expect(openJson(sealed, block, wordsOf(block, key))).toBe(JSON.stringify(value));
    expect(JSON.parse(openJson(sealed, block, wordsOf(block, null)))).toStrictEqual({
      ...value,
      rest: ["erased@erased.invalid", ""],
      name: "[erased]",
    });
  });

  test("without any, or without a key, are as they are; under an erased key they are erased", () => {
    const key = { id: "key", key: Buffer.alloc(32).toString("base64url") };
    expect(sealJson(places, { plain: hostile }, key)).toBe(JSON.stringify({ plain: hostile }));
    expect(sealJson(places, { name: "Ada" }, undefined)).toBe('{"name":"Ada"}');
    expect(sealJson(places, { name: "Ada" }, null)).toBe('{"name":"[erased]"}');
    expect(blockOf('{"name":"Ada"}')).toBeUndefined();
  });

  test("of an answer are kept in a block, and the answer is what it was", async () => {
    const words = open();
    const key = await keyOf(words, BOOKING);
    words.findKey = async (subject) => (subject === BOOKING ? key : undefined);
    const bodies = [
      {
        id: BOOKING,
        passengers: [{ name: "Ada", email: "ada@example.com" }],
        documents: ["ada.pdf"],
        reference: "For Ada",
      },
      {
        id: `pay_${"b".repeat(44)}`,
        bookingId: BOOKING,
        metadata: { for: "Ada", 1: "Ada", "\x7fkey.t.seal.0": "Ada" },
      },
      { id: "hold_1", seats: ["1A"] },
    ];
    for (const body of bodies) {
      const kept = await words.sealAnswer(JSON.stringify(body));
      expect(kept).not.toMatch(/"Ada"|ada@|ada\.pdf|For Ada/);
      expect(await open().openAnswer(kept)).toBe(JSON.stringify(body));
    }
  });

  test("that somebody sends in the form in which a former release stored them are shown as they are", async () => {
    const words = open();
    const key = (await keyOf(words, BOOKING)) as WordKey;
    const stolen = formerWords(key, ["a secret of somebody"], "t")[0] ?? "";
    const body = JSON.stringify({ id: "hold_1", metadata: { [stolen]: "" } });
    expect(await words.openAnswer(await words.sealAnswer(body))).toBe(body);
    const text = await words.sealText(stolen, key.id);
    expect(await words.openText(text ?? "")).toBe(stolen);
  });

  test("about somebody are sealed under the key of somebody, and not at all without", async () => {
    const words = open();
    const key = await keyOf(words, BOOKING);
    const sealed = (await words.sealText(WORD, key?.id)) ?? "";
    expect(sealed).not.toMatch(/Ada/);
    expect(await words.openText(sealed)).toBe(WORD);
    expect(await words.sealText(WORD, undefined)).toBeUndefined();
    await words.keys.erase(key?.id ?? "");
    expect(await words.openText(sealed)).toBe("[erased]");
    expect(await words.sealText(WORD, key?.id)).toBeUndefined();
  });
});

/** Words as a former release sealed them together: the first carries the seal. */
function formerWords({ id, key }: WordKey, words: readonly string[], letters: string): readonly string[] {
  const bytes = sealBytes(Buffer.from(key, "base64url"), `${id}.${letters}`, JSON.stringify(words));
  const seal = bytes.toString("base64url");
  return words.map((_, number) =>
    number === 0 ? `\x7f${id}.${letters}.${seal}.0` : `\x7f${id}.${letters[number]}.${seal.slice(0, 16)}.${number}`,
  );
}

describe("what a former release stored, words in their places,", () => {
  test("is read as it was: events, answers and texts", async () => {
    const words = open();
    const key = (await keyOf(words, BOOKING)) as WordKey;
    const [name = "", email = ""] = formerWords(key, [WORD, "ada@example.com"], "te");
    const event = eventOf("BookingCreated", { passengers: [{ name, email }], reference: null });
    const data = { passengers: [{ name: WORD, email: "ada@example.com" }], reference: null };
    const [opened] = await words.openEvents([event]);
    expect(opened?.data).toStrictEqual(data);
    expect(keyIdOf(opened?.sealed ?? "")).toBe(key.id);
    expect(keyIdsOfEvent(event)).toStrictEqual([key.id]);
    const passengers = { passengers: [{ name, email }] };
    expect(await words.openAnswer(JSON.stringify(passengers))).toBe(JSON.stringify({ passengers: data.passengers }));
    expect(await words.openText(name)).toBe(WORD);
    await words.keys.erase(key.id);
    const erased = { passengers: [{ name: "[erased]", email: "erased@erased.invalid" }] };
    expect(await words.openAnswer(JSON.stringify(passengers))).toBe(JSON.stringify(erased));
    expect((await words.openEvents([event]))[0]?.data).toStrictEqual({ ...erased, reference: null });
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
    const sealed = words.sealEvent(eventOf("PassengerCreated", data), key);
    const other = await seal(words, PASSENGER);
    await words.keys.erase(key?.id ?? "");
    const erased = {
      email: "erased@erased.invalid",
      dateOfBirth: "0001-01-01",
      passport: { number: "[erased]", expiresOn: "0001-01-01", issuingCountry: "XX" },
      preferences: { meal: "standard" },
    };
    for (const each of [words, open()]) {
      expect((await each.openEvents([sealed, other])).map((event) => event.data)).toStrictEqual([
        erased,
        { reason: WORD },
      ]);
    }
  });

  test("takes no words any more", async () => {
    const words = open();
    await seal(words, PASSENGER);
    await words.keys.erase(PASSENGER);
    for (const each of [words, open()]) {
      const event = await seal(each, PASSENGER);
      expect([event.data, event.sealed]).toStrictEqual([{ reason: "[erased]" }, undefined]);
    }
  });

  test("of a booking leaves the others of its page", async () => {
    const words = open();
    const sealed = await Promise.all(["one", "two", "three"].map((word) => seal(words, BOOKING, word)));
    await words.keys.erase(keyIdOfSealed(sealed[1] as RecordedEvent));
    for (const each of [words, open()]) {
      expect(await reasons(each, ...sealed)).toStrictEqual(["one", "[erased]", "three"]);
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
    const began = reasons(words, sealed);
    state.get = get;
    // The first step of the read has what there was.
    await Promise.resolve();
    await words.keys.erase(subject === BOOKING ? keyIdOfSealed(sealed) : subject);
    held.resolve();
    expect(await began).toStrictEqual(["[erased]"]);
    expect(await reasons(words, sealed)).toStrictEqual(["[erased]"]);
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
    await words.keys.erase(ACCOUNT);
    held.resolve();
    expect((await began).data).toStrictEqual({ reason: "[erased]" });
  });

  test("is unknown to other processes after five seconds, whatever they were shown before", async () => {
    jest.useFakeTimers();
    try {
      const shared = () => new SealedWords({ state, secretKey: "a secret", shared: true });
      const [words, other] = [shared(), shared()];
      const [sealed, more] = [await seal(words, PASSENGER, "one"), await seal(words, PASSENGER, "two")];
      expect(await reasons(other, sealed)).toStrictEqual(["one"]);
      jest.advanceTimersByTime(4_900);
      expect(await reasons(other, more)).toStrictEqual(["two"]);
      await words.keys.erase(ACCOUNT);
      jest.advanceTimersByTime(5_000);
      expect(await reasons(other, sealed, more)).toStrictEqual(["[erased]", "[erased]"]);
    } finally {
      jest.useRealTimers();
    }
  });

  test("is told to whoever may know it, too", async () => {
    const words = open();
    await seal(words, PASSENGER);
    let told = 0;
    words.keys.onErased = () => {
      told += 1;
    };
    await words.keys.erase(PASSENGER);
    expect(told).toBe(1);
  });

  test("of an account takes those of its bookings and passengers along", async () => {
    const words = open();
    const sealed = await Promise.all([ACCOUNT, BOOKING, PASSENGER].map((subject) => seal(words, subject)));
    await words.keys.erase(ACCOUNT);
    for (const each of [words, open()]) expect(await reasons(each, ...sealed)).toStrictEqual(Array(3).fill("[erased]"));
    expect((await seal(words, BOOKING)).data).toStrictEqual({ reason: "[erased]" });
  });
});

test("under a new secret what was sealed before is lost, and new words are sealed", async () => {
  const before = await seal(open(), BOOKING);
  const words = open("a new secret");
  const after = await seal(words, BOOKING);
  expect(await reasons(words, before, after)).toStrictEqual(["[erased]", WORD]);
  expect(await reasons(open("a new secret"), after)).toStrictEqual([WORD]);
});
test("a request of an account has a name that is gone with the account's key", async () => {
  const words = open();
  const name = await words.keys.requestKey(ACCOUNT, "a request");
  expect(await open().keys.requestKey(ACCOUNT, "a request")).toBe(name);
  const others = [
    await words.keys.requestKey(ACCOUNT, "another"),
    await words.keys.requestKey(`${ACCOUNT}2`, "a request"),
  ];
  await words.keys.erase(ACCOUNT);
  others.push(await words.keys.requestKey(ACCOUNT, "a request"), await open().keys.requestKey(ACCOUNT, "a request"));
  expect(new Set([name, ...others]).size).toBe(5);
});

describe("a word inside its account", () => {
  test("has a name that only those who have the account's key can make", async () => {
    const words = open();
    await words.keys.findOrCreate(ACCOUNT, ACCOUNT, true);
    await words.keys.findOrCreate("acc_2", "acc_2", true);
    const name = await words.keys.wordKey(ACCOUNT, "a word");
    expect(name).toMatch(/^[\w-]{6}$/);
    expect(await open().keys.wordKey(ACCOUNT, "a word")).toBe(name);
    const others = [await words.keys.wordKey(ACCOUNT, "another"), await words.keys.wordKey("acc_2", "a word")];
    await words.keys.erase(ACCOUNT);
    others.push(await words.keys.wordKey(ACCOUNT, "a word"), await open().keys.wordKey(ACCOUNT, "a word"));
    expect(new Set([name, ...others]).size).toBe(5);
  });

  test("has none where the account was opened before there were keys", async () => {
    const words = open();
    expect(await words.keys.wordKey(ACCOUNT, "a word")).toBeUndefined();
    await seal(words, BOOKING);
    expect([await words.keys.wordKey(ACCOUNT, "a word"), await open().keys.wordKey(ACCOUNT, "a word")]).toStrictEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("an e-mail address inside its account", () => {
  test("has a name that follows from the account's key, whatever the address's case", async () => {
    const words = open();
    await seal(words, ACCOUNT);
    const [name, same, other] = [
      await words.keys.emailKey(ACCOUNT, "Ada@example.com"),
      await open().keys.emailKey(ACCOUNT, "ada@EXAMPLE.com"),
      await words.keys.emailKey(ACCOUNT, "eve@example.com"),
    ];
    expect(same).toBe(name);
    expect(other).not.toBe(name);
  });

  test("keeps the name it has, where the account was opened before there were keys", async () => {
    const words = open();
    const name = await words.keys.emailKey(ACCOUNT, "ada@example.com");
    await seal(words, BOOKING);
    expect(await words.keys.emailKey(ACCOUNT, "ada@example.com")).toBe(name);
  });
});
