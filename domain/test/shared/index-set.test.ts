import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { IndexSet } from "../../src/shared/index-set.ts";

const index = fc.oneof(fc.nat(70), fc.nat(3_000), fc.nat(100_000));
const steps = fc.array(fc.tuple(fc.constantFrom("add", "delete", "next"), index), { maxLength: 200 });

test("agrees with a sorted list", () => {
  fc.assert(
    fc.property(steps, (life) => {
      const set = new IndexSet();
      const known = new Set<number>();
      for (const [step, at] of life) {
        if (step === "add") {
          set.add(at);
          known.add(at);
        } else if (step === "delete") {
          set.delete(at);
          known.delete(at);
        } else {
          const following = [...known].filter((each) => each >= at).sort((a, b) => a - b);
          expect(set.next(at)).toBe(following[0]);
        }
      }
    }),
    { numRuns: 500, seed: 34 },
  );
});
