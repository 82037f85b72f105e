import { expect, test } from "@jest/globals";
import { openWorld } from "./kit/world.ts";

test("sixty requests a minute, unless told otherwise", async () => {
  const usual = await openWorld({ env: { RATE_LIMIT_PER_MINUTE: "" } });
  try {
    const answers = await Promise.all(Array.from({ length: 61 }, () => usual.alice.get("/v1/flights")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.map(({ headers }) => headers.get("x-ratelimit-limit"))).toStrictEqual(new Array(61).fill("60"));
  } finally {
    await usual.discard();
  }
});
