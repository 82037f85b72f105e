import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { randomNumbers } from "../../bench/data/random-numbers.ts";
import { erasedWords, live, shownOf } from "../../support/lives.ts";
import { encodings } from "../../support/personal-words.ts";
import { rebuildProjections } from "../../support/rebuild-projections.ts";
import { type ServiceUnderTest, startServiceUnderTest } from "../../support/service-under-test.ts";

const SEED = Number(process.env.PROPERTY_SEED ?? 1);
const STEPS = 60;

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest({ RATE_LIMIT_PER_MINUTE: "0", QUOTA_UNPAID_SEATS_PERCENT: "100" });
});
afterAll(() => service.discard());

test("lives with erasures are as without, but for the erased words, and those are nowhere", async () => {
  const options = { target: () => service, random: randomNumbers(SEED), steps: STEPS };
  const lives = await live({
    ...options,
    flights: "ERASED",
    erase: async (path) => expect(await service.operator("POST", path)).toMatchObject({ status: 200 }),
  });
  // Every answer is checked against the interface description, too.
  const shown = await shownOf(service, lives, "ERASED");
  await rebuildProjections(service);
  expect(await shownOf(service, lives, "ERASED")).toStrictEqual(shown);
  const stored = await service.dumpStorage();
  const words = erasedWords(lives);
  expect(words).not.toStrictEqual([]);
  const forms = (word: string) => [word, ...encodings(word).map((form) => form.toString("latin1"))];
  expect(words.filter((word) => forms(word).some((form) => stored.includes(form)))).toStrictEqual([]);
  expect(words.filter((word) => service.stderr.includes(word))).toStrictEqual([]);
  // Where there is something to be found, it is found.
  expect(forms("Kepler-442b").some((form) => stored.includes(form))).toBe(true);

  const same = await live({ ...options, random: randomNumbers(SEED), flights: "OTHERS" });
  expect(shown).toStrictEqual(await shownOf(service, same, "OTHERS", lives));
});
