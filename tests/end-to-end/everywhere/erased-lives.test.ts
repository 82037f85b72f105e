import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { randomNumbers } from "../../bench/data/random-numbers.ts";
import { deliveredOf, ENV_OF_LIVES, erasedWords, live, refusesOnce, shownOf } from "../../support/lives.ts";
import { wordsIn } from "../../support/personal-words.ts";
import { rebuildProjections } from "../../support/rebuild-projections.ts";
import { type ServiceUnderTest, startServiceUnderTest } from "../../support/service-under-test.ts";

const SEED = Number(process.env.PROPERTY_SEED ?? 1);
const STEPS = 40;

let service: ServiceUnderTest;
let receiver: Receiver;
beforeAll(async () => {
  service = await startServiceUnderTest(ENV_OF_LIVES);
  receiver = await Receiver.start(refusesOnce());
});
afterAll(async () => {
  await receiver.stop();
  await service.discard();
});

test("lives with erasures are as without, but for the erased words, and those are nowhere", async () => {
  const options = { target: () => service, random: randomNumbers(SEED), steps: STEPS, receiver };
  const lives = await live({
    ...options,
    flights: "ERASED",
    erase: async (path) => expect(await service.operator("POST", path)).toMatchObject({ status: 200 }),
  });
  // Every answer is checked against the interface description, too.
  const shown = await shownOf(service, lives, "ERASED");
  const delivered = await deliveredOf(receiver, service, lives, "ERASED", lives);
  await rebuildProjections(service);
  expect(await shownOf(service, lives, "ERASED")).toStrictEqual(shown);
  const stored = await service.dumpStorage();
  const words = erasedWords(lives);
  expect(words).not.toStrictEqual([]);
  expect(wordsIn(stored, words)).toStrictEqual([]);
  expect(words.filter((word) => service.stderr.includes(word))).toStrictEqual([]);
  // Where there is something to be found, it is found.
  expect(wordsIn(stored, ["Kepler-442b"])).toStrictEqual(["Kepler-442b"]);

  const same = await live({ ...options, random: randomNumbers(SEED), flights: "OTHERS" });
  expect(shown).toStrictEqual(await shownOf(service, same, "OTHERS", lives));
  expect(delivered).toStrictEqual(await deliveredOf(receiver, service, same, "OTHERS", lives));
});
