import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, test } from "@jest/globals";
import { withTimeout } from "../../src/real-time/index.ts";

const late = () => new Error("late");
const never = new Promise<never>(() => undefined);

test("an answer, a failure, and neither", async () => {
  expect(await withTimeout(Promise.resolve(1), 10_000, late)).toBe(1);
  await expect(withTimeout(Promise.reject(new Error("no")), 10_000, late)).rejects.toStrictEqual(new Error("no"));
  await expect(withTimeout(never, 1, late)).rejects.toStrictEqual(new Error("late"));
});

test("an answer that came while this thread was busy is not late", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  const accepted = once(server, "connection");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [other] = (await accepted) as [Socket];
  const answer = withTimeout(once(socket, "data"), 20, late);
  other.end("answer");
  const busyUntil = performance.now() + 60;
  while (performance.now() < busyUntil);
  expect(String((await answer)[0])).toBe("answer");
  server.close();
});
