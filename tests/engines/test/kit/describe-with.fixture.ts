import { describe, expect, test } from "@jest/globals";
import { describeWith } from "../../describe-with.ts";

/** What the engines below did, in order. */
const log: string[] = [];

const engine = (name: string) => async () => {
  log.push(`${name} started`);
  return {
    name,
    greet: (whom: string) => `${name} greets ${whom}`,
    stop: async () => {
      log.push(`${name} stopped`);
    },
  };
};

describeWith({ one: engine("one"), two: engine("two") }, "engines that are there", ({ one, two }) => {
  test("run during its cases", () => {
    expect(log).toStrictEqual(["one started", "two started"]);
    expect([one.name, two.greet("all")]).toStrictEqual(["one", "two greets all"]);
  });
});

describe("afterwards", () => {
  test("they are stopped", () => {
    expect(log).toStrictEqual(["one started", "two started", "one stopped", "two stopped"]);
    log.length = 0;
  });
});

describe("outer", () => {
  const missing = Object.assign(engine("missing"), { missingReason: () => "missing: nobody has one" });
  describeWith({ one: engine("one"), missing }, "an engine that is not there", () => {
    test("first case", () => {});
    describe("inner", () => {
      test("second case", () => {});
    });
  });
});

const broken = async () => ({ unavailable: "broken: it fell over" });
describeWith({ one: engine("one"), broken }, "an engine that does not start", () => {
  test("third case", () => {});
});

describe("after all that", () => {
  test("only what was started has been, and is stopped", () => {
    expect(log).toStrictEqual(["one started", "one stopped"]);
  });
});

describeWith({ one: engine("one") }, "an engine used too early", ({ one }) => {
  const name = () => one.name;
  let early = "";
  try {
    early = name();
  } catch (failure) {
    early = String(failure);
  }
  test("says so", () => {
    expect(early).toBe("Error: one runs only within the hooks and cases of its describeWith");
    expect(name()).toBe("one");
  });
});
