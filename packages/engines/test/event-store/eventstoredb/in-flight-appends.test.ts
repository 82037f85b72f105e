import { expect, test } from "@jest/globals";
import { anEvent } from "../../../contract/event-store-contract.ts";
import { InFlightAppends } from "../../../src/event-store/eventstoredb/eventstoredb-event-store.ts";
import { NO_STREAM } from "../../../src/event-store/index.ts";

const RESULT = { revision: 0, position: 1n };

function held() {
  const { promise, resolve, reject } = Promise.withResolvers<typeof RESULT>();
  let attempts = 0;
  const append = () => {
    attempts++;
    return promise;
  };
  return { append, resolve, reject, attempts: () => attempts };
}

test("the same append shares the answer, another does not", async () => {
  const underWay = new InFlightAppends();
  const [event, other] = [anEvent(), anEvent()];
  const { append, resolve, attempts } = held();
  const run = (revision: number, events: readonly (typeof event)[], stream = "s") =>
    underWay.run(stream, revision, events, append);
  const all = [
    run(NO_STREAM, [event]),
    run(NO_STREAM, [{ ...event }]),
    run(NO_STREAM, [other]),
    run(NO_STREAM, [event, other]),
    run(0, [event]),
    run(NO_STREAM, [event], "t"),
  ];
  expect(attempts()).toBe(5);
  resolve(RESULT);
  expect(await Promise.all(all)).toStrictEqual(all.map(() => RESULT));
  await run(NO_STREAM, [event]);
  expect(attempts()).toBe(6);
});

test("who shares an append shares its failure, and a later one is attempted again", async () => {
  const underWay = new InFlightAppends();
  const event = anEvent();
  const failing = held();
  const both = [1, 2].map(() => underWay.run("s", NO_STREAM, [event], failing.append));
  failing.reject(new Error("lost"));
  for (const one of both) await expect(one).rejects.toThrow("lost");
  await underWay.settled();
  expect(await underWay.run("s", NO_STREAM, [event], async () => RESULT)).toStrictEqual(RESULT);
});

test("settled waits for all, whatever becomes of them", async () => {
  const underWay = new InFlightAppends();
  const [one, two] = [held(), held()];
  const failed = underWay.run("s", NO_STREAM, [anEvent()], one.append).catch((error: Error) => error.message);
  const stored = underWay.run("s", NO_STREAM, [anEvent()], two.append);
  let isSettled = false;
  const settled = underWay.settled().then(() => {
    isSettled = true;
  });
  one.reject(new Error("lost"));
  expect(await failed).toBe("lost");
  expect(isSettled).toBe(false);
  two.resolve(RESULT);
  await stored;
  await settled;
});
