import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import type { ApiRequest } from "@travel-booking/http";
import type { SecretKey } from "@travel-booking/runtime";
import { CommandServiceUnavailable, logHeadClient, logHeadRoute } from "@travel-booking/service-host";

const OLD = "o".repeat(43);
const NEW = "n".repeat(43);

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A command-service with these keys, whose log has seven events. */
async function answering(secretKey: SecretKey): Promise<string> {
  const { handler } = logHeadRoute(secretKey, async () => 7n);
  const server = createServer(async ({ headers }, response) => {
    const header = (name: string) => headers[name] as string | undefined;
    const { status, json } = await handler({ header } as ApiRequest);
    response.writeHead(status).end(json);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const calls = async (from: SecretKey, to: SecretKey) => logHeadClient(await answering(to), from)();

test("services call each other all through a change of the key that is done in its two rounds", async () => {
  const rounds: readonly SecretKey[] = [OLD, [OLD, NEW], [NEW, OLD], NEW];
  for (const [round, here] of rounds.entries()) {
    for (const there of rounds.slice(Math.max(0, round - 1), round + 2)) {
      expect([here, there, await calls(here, there), await calls(there, here)]).toStrictEqual([here, there, 7n, 7n]);
    }
  }
});

test("who has changed the key calls with the new one, and is called with the one before by nobody once that is not trusted", async () => {
  expect(await calls([NEW, OLD], NEW)).toBe(7n);
  await expect(calls([NEW, OLD], OLD)).rejects.toThrow(CommandServiceUnavailable);
  await expect(calls(OLD, NEW)).rejects.toThrow(CommandServiceUnavailable);
});
