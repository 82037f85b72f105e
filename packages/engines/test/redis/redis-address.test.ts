import { expect, test } from "@jest/globals";
import { openRedis } from "../../src/redis/index.ts";
import { parseRedisAddress } from "../../src/redis/settings.ts";

test.each([
  ["redis://localhost", { host: "localhost", port: 6379, db: 0 }],
  ["redis://127.0.0.1:7000/", { host: "127.0.0.1", port: 7000, db: 0 }],
  ["redis://[::1]:7000/3", { host: "::1", port: 7000, db: 3 }],
  ["redis://:p%40ss@h", { host: "h", port: 6379, db: 0, password: "p@ss" }],
  ["redis://me:100%@h", { host: "h", port: 6379, db: 0, username: "me", password: "100%" }],
  ["rediss://me:pass@h:1", { host: "h", port: 1, db: 0, username: "me", password: "pass", tls: {} }],
])("%s", (url, address) => {
  expect(parseRedisAddress(url)).toStrictEqual(address);
});

test.each([
  "",
  "h:6379",
  "me:secret@h:1",
  "http://me:secret@h",
  "redis://",
  "redis://:secret@h:99999",
  "redis:secret@h",
])("%j is no address, and is not repeated", (url) => {
  const message = "not the address of a Redis: redis://host:port or rediss://host:port";
  expect(() => openRedis(url)).toThrow(new TypeError(message));
});

test("a path that is no database", () => {
  const message = "the path of a Redis address is the number of a database";
  expect(() => openRedis("redis://:secret@h/one")).toThrow(new TypeError(message));
});
