import { describe, expect, test } from "@jest/globals";
import { accept, fold, reject } from "@travel-booking/domain";

describe("decisions", () => {
  test("a no-op has neither events nor a rejection", () => {
    expect(accept()).toStrictEqual({ events: [] });
  });

  test("a rejection without facts carries none", () => {
    expect(reject("seat_taken")).toStrictEqual({ events: [], rejection: { code: "seat_taken" } });
  });

  test("folding goes from the oldest event to the newest", () => {
    const texts = {
      initialState: () => "",
      evolve: (state: string, event: { type: string; at: number; data: string }) => state + event.data,
    };
    expect(
      fold(texts, [
        { type: "Added", at: 1, data: "a" },
        { type: "Added", at: 2, data: "b" },
      ]),
    ).toBe("ab");
  });
});
