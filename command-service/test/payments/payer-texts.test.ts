import { expect, test } from "@jest/globals";
import { DAY } from "@travel-booking/domain";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { ManualClock } from "@travel-booking/runtime";
import { PayerTexts } from "../../src/payments/payer-texts.ts";

function setUp() {
  const clock = new ManualClock(1_000);
  const state = new InMemoryStateStore();
  const textsUnder = (secretKey: string) => new PayerTexts({ state, clock, secretKey });
  return { state, textsUnder, texts: textsUnder("secret") };
}

test("the first text of an entry is kept, sealed, until it is forgotten", async () => {
  const { state, texts } = setUp();
  await texts.keep("e1", "Ada Lovelace");
  await texts.keep("e1", "Alan Turing");
  expect(await texts.find("e1")).toBe("Ada Lovelace");
  const stored = await state.list("payer-texts", { limit: 10 });
  expect(JSON.stringify(stored)).not.toContain("Lovelace");
  await texts.forget("e1");
  expect(await texts.find("e1")).toBeNull();
});

test("for ninety days", async () => {
  const { state, texts } = setUp();
  await texts.keep("e1", "Ada Lovelace");
  expect((await state.get("payer-texts", "e1"))?.expiresAt).toBe(1_000 + 90 * DAY);
});

test("one of a secret key that is lost reads as erased", async () => {
  const { texts, textsUnder } = setUp();
  await texts.keep("e1", "Ada Lovelace");
  expect(await textsUnder("another").find("e1")).toBe("[erased]");
});
