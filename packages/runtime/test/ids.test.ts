import { expect, test } from "@jest/globals";
import {
  accountIdOf,
  bookingIdOf,
  commandIdGenerator,
  commandStep,
  eventId,
  holdIdOf,
  ManualClock,
  randomDigitsOf,
  sequentialCommandIds,
} from "@travel-booking/runtime";

const COMMAND = "0191f3b2-0000-7abc-9def-123456000000";

test("command ids are UUIDs of version 7 that leave room for steps and events", () => {
  const clock = new ManualClock(0x0191f3b20123);
  const ids = commandIdGenerator(clock);
  const made = Array.from({ length: 1_000 }, () => ids.next());
  for (const id of made) expect(id).toMatch(/^0191f3b2-0123-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{6}000000$/);
  expect(new Set(made).size).toBe(1_000);
  clock.advance(1);
  const later = ids.next();
  expect(made.every((id) => id < later)).toBe(true);
});

test("sequential ids are the same in every test", () => {
  const ids = sequentialCommandIds();
  expect([ids.next(), ids.next()]).toStrictEqual([
    "00000000-0001-7000-8000-000001000000",
    "00000000-0002-7000-8000-000002000000",
  ]);
});

test("steps and events have ids of their own, made from the command's", () => {
  expect(commandStep(COMMAND, 0)).toBe(COMMAND);
  expect(commandStep(COMMAND, 255)).toBe("0191f3b2-0000-7abc-9def-123456ff0000");
  expect(eventId(COMMAND, 0)).toBe("0191f3b2-0000-7abc-9def-123456000001");
  expect(eventId(commandStep(COMMAND, 2), 65_534)).toBe("0191f3b2-0000-7abc-9def-12345602ffff");
  for (const step of [-1, 256, Number.NaN]) expect(() => commandStep(COMMAND, step)).toThrow(RangeError);
  for (const index of [-1, 65_535, Number.NaN]) expect(() => eventId(COMMAND, index)).toThrow(RangeError);
});

test("ids of objects derive from the command's", () => {
  expect(bookingIdOf(COMMAND)).toBe("bkg_0191f3b200007abc9def123456000000");
  expect(holdIdOf(COMMAND)).toBe("hld_0191f3b200007abc9def123456000000");
  expect(accountIdOf(COMMAND)).toBe("acc_0191f3b200007abc9def123456000000");
});

test("the random digits of a command id", () => {
  expect(randomDigitsOf(COMMAND)).toBe("abcdef123456");
});
