import { expect, test } from "@jest/globals";
import { limitsOf } from "../eventstoredb/log/stream.ts";

test("a stream's metadata limits what is read of it", () => {
  const body = '{"$maxCount":2,"$maxAge":60,"$tb":9223372036854775807}';
  expect(limitsOf(Buffer.from(body))).toStrictEqual({ maxCount: 2, maxAge: 60, truncateBefore: 2n ** 63n - 1n });
});

test.each(["", "{", "null", "1", '["$maxCount"]', '{"$maxCount":"two"}'])("metadata of %j limits nothing", (body) => {
  expect(limitsOf(Buffer.from(body))).toStrictEqual({});
});
