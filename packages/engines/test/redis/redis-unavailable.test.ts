import { expect, test } from "@jest/globals";
import { redisUnavailable } from "../../src/redis/problems.ts";

test.each([
  [new Error("connect ECONNREFUSED 127.0.0.1:1"), "connect ECONNREFUSED 127.0.0.1:1"],
  [
    new Error("ERR unknown command `hello`, with args beginning with: `3`, `AUTH`, `s3cret`"),
    "ERR unknown command `hello`",
  ],
  [new Error("what is s3cret?"), "what is …?"],
  [
    new AggregateError([new Error("refused ::1"), new Error("refused 127.0.0.1")], ""),
    "refused ::1; refused 127.0.0.1",
  ],
  ["s3cret", "no reason given"],
])("%s", (error, said) => {
  const { name, message, cause } = redisUnavailable("no connection", error, "s3cret");
  expect([name, message, cause]).toStrictEqual(["RedisUnavailable", `Redis: no connection: ${said}`, undefined]);
});
