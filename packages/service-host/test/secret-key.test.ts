import { scryptSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { deriveKeys, ManualClock, type SecretKey, StartupError, TextSealer } from "@travel-booking/runtime";
import { openSecretKeys, SEALED_KEY_CHECK } from "@travel-booking/service-host";

const LONG = "k".repeat(43);
const NEXT = "n".repeat(43);
const SHORT = "a sentence that somebody made up".replaceAll(" ", "-");
const SHORT_NEXT = "another that somebody has made up".replaceAll(" ", "-");
const T = Date.parse("2026-11-26T12:00:00Z");
const MAY_BE_GUESSED = "what is stored is sealed under a SECRET_KEY that may be guessed: ";

let state: InMemoryStateStore;
let clock: ManualClock;
beforeEach(() => {
  state = new InMemoryStateStore();
  clock = new ManualClock(T);
});

interface Given {
  readonly previous?: string;
  readonly only?: "unsealing";
  readonly isNew?: boolean;
}

/** One more start of one more instance. */
async function start(secretKey: string, { previous, only, isNew = false }: Given = {}) {
  const unusual: string[] = [];
  const secretKeyPreviousFor = only ?? "everything";
  const settings = { secretKey, secretKeyPrevious: previous, secretKeyPreviousFor, secretKeyIsNew: isNew } as const;
  return { ...(await openSecretKeys(settings, { state, clock, unusual })), unusual };
}

/** The key it seals under, and the one before; and whether it warns of the first. */
async function sealing(secretKey: string, given?: Given) {
  const started = await start(secretKey, given);
  return [started.secretKey, started.unusual.length === 1 && started.unusual[0]?.startsWith(MAY_BE_GUESSED)];
}

/** What a release left that stretched no key and knew no names. */
async function storedBefore(secretKey: SecretKey) {
  const { space, purpose } = SEALED_KEY_CHECK;
  await state.put(
    space,
    "sealed",
    new TextSealer(deriveKeys(secretKey, purpose)).seal("stored under this key", "sealed"),
  );
}

/** Everything is sealed under the present key, as in the end of a change. */
const finishChange = storedBefore;

const COST = { N: 32_768, r: 8, p: 3, maxmem: 2 ** 27 };
const stretchedOf = (text: string) => scryptSync(text, "travel-booking-service", 32, COST).toString("base64url");

describe("a key that was set by hand", () => {
  test.each([
    ["43 characters of base64url", `${"-_9z".repeat(10)}aB0`],
    ["44 of base64", `${"+/9z".repeat(10)}aB0=`],
    ["64 hexadecimal digits", "0123456789abcdef".repeat(4)],
  ])("is used as it is where it is long: %s", async (_, key) => {
    expect(await sealing(key)).toStrictEqual([key, false]);
  });

  test.each(["x".repeat(42), "a sentence of more than 43 characters, with marks!".replaceAll(" ", "-")])(
    "is stretched where nothing is stored: %s",
    async (key) => {
      expect(await sealing(key)).toStrictEqual([stretchedOf(key), false]);
      expect(await sealing(key)).toStrictEqual([stretchedOf(key), false]);
      await expect(start(LONG)).rejects.toThrow(StartupError);
    },
  );

  test("is the same for services that start at once, and after a start that was cut off", async () => {
    const started = await Promise.all([1, 2, 3].map(() => sealing(SHORT)));
    expect(started).toStrictEqual(started.map(() => [stretchedOf(SHORT), false]));
    await state.remove(SEALED_KEY_CHECK.space, "sealed");
    expect(await sealing(SHORT)).toStrictEqual([stretchedOf(SHORT), false]);
  });

  test("goes on as it is where something is stored under it, and is named", async () => {
    await storedBefore(SHORT);
    expect(await sealing(SHORT)).toStrictEqual([SHORT, true]);
    expect(await sealing(SHORT)).toStrictEqual([SHORT, true]);
  });

  test("takes the place of a short one stretched; what is left under that one is unsealed, to the end and after it", async () => {
    await storedBefore(SHORT);
    await start(SHORT);
    const [fresh, change] = [stretchedOf(SHORT_NEXT), { previous: SHORT }];
    expect(await sealing(SHORT_NEXT, change)).toStrictEqual([[fresh, SHORT], false]);
    expect(await sealing(SHORT_NEXT, change)).toStrictEqual([[fresh, SHORT], false]);
    await finishChange(fresh);
    expect(await sealing(SHORT_NEXT, change)).toStrictEqual([[fresh, SHORT], false]);
    expect(await sealing(SHORT_NEXT)).toStrictEqual([fresh, false]);
    await expect(start(SHORT)).rejects.toThrow(StartupError);
  });

  test("may have sealed already in a change that an earlier release began", async () => {
    await storedBefore(SHORT);
    const change = { previous: SHORT };
    expect(await sealing(SHORT_NEXT, change)).toStrictEqual([[SHORT_NEXT, SHORT], true]);
    await finishChange(SHORT_NEXT);
    expect(await sealing(SHORT_NEXT, change)).toStrictEqual([[SHORT_NEXT, SHORT], true]);
  });
});

describe("a change", () => {
  const inUse = async (started: Promise<Awaited<ReturnType<typeof start>>>) => (await started).keyInUse();

  beforeEach(() => start(LONG));

  test("is seen by the first instance that starts with the new one, for good and for all", async () => {
    clock.advance(1_000);
    const prepared = await start(LONG, { previous: NEXT });
    expect(await prepared.keyInUse()).toStrictEqual({ index: 0, since: T });
    clock.advance(1_000);
    const seen = { index: 0, since: T + 2_000 };
    expect(await inUse(start(NEXT, { previous: LONG }))).toStrictEqual(seen);
    clock.advance(3_600_000);
    expect(await inUse(start(NEXT, { previous: LONG }))).toStrictEqual(seen);
    expect(await prepared.keyInUse()).toStrictEqual({ ...seen, index: 1 });
    await finishChange(NEXT);
    expect(await inUse(start(NEXT))).toStrictEqual(seen);
  });

  test("that an earlier release began is seen by the first start", async () => {
    state = new InMemoryStateStore();
    await storedBefore(LONG);
    expect(await inUse(start(NEXT, { previous: LONG }))).toStrictEqual({ index: 0, since: T });
    clock.advance(1_000);
    expect(await inUse(start(NEXT, { previous: LONG }))).toStrictEqual({ index: 0, since: T });
  });

  test("is followed back by all where an instance starts once more with the one before", async () => {
    const changed = await start(NEXT, { previous: LONG });
    clock.advance(1_000);
    await start(LONG, { previous: NEXT });
    expect(await changed.keyInUse()).toStrictEqual({ index: 1, since: T + 1_000 });
    clock.advance(1_000);
    await start(NEXT, { previous: LONG });
    expect(await changed.keyInUse()).toStrictEqual({ index: 0, since: T + 2_000 });
  });

  test("for unsealing believes nothing that was made with the one before", async () => {
    const { secretKey, trustedKey } = await start(NEXT, { previous: LONG, only: "unsealing" });
    expect([secretKey, trustedKey]).toStrictEqual([[NEXT, LONG], NEXT]);
    const both = await start(NEXT, { previous: LONG });
    expect(both.trustedKey).toStrictEqual([NEXT, LONG]);
  });

  test("to a key that is not told is refused, and nothing of it is remembered", async () => {
    const before = await state.list("secret-key-use", { limit: 10 });
    for (const previous of [undefined, "o".repeat(43)]) {
      await expect(start(NEXT, previous === undefined ? {} : { previous })).rejects.toThrow(
        /^SECRET_KEY is not the one/,
      );
    }
    expect(await state.list("secret-key-use", { limit: 10 })).toStrictEqual(before);
    const replaced = async (given?: Given) => {
      const { secretKey, isReplaced } = await start(NEXT, given);
      return [secretKey, isReplaced];
    };
    expect(await replaced({ isNew: true })).toStrictEqual([NEXT, true]);
    expect(await replaced()).toStrictEqual([NEXT, false]);
  });
});
