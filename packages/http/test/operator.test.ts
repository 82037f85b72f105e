import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createOperatorApp, OperatorError, type OperatorRoute } from "@travel-booking/http/operator";

const TOKEN = "a token of the operator's";

class StoreUnavailable extends Error {}

const ends = (path: string, error: Error): OperatorRoute => ({
  method: "GET",
  path: `/operator/${path}`,
  handle: () => Promise.reject(error),
});

let server: Server;
let failures: unknown[];
beforeEach(async () => {
  failures = [];
  const app = createOperatorApp({
    token: TOKEN,
    routes: [
      ends("away", new StoreUnavailable("x")),
      ends("refused", new OperatorError(409, "no")),
      ends("broken", new Error("y")),
    ],
    onError: (error) => failures.push(error),
    unavailableReason: (error) => (error instanceof StoreUnavailable ? "the store is out of reach" : undefined),
  });
  server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.close();
});

async function get(path: string, token = TOKEN) {
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}/operator/${path}`, { headers });
  return { status: response.status, body: (await response.json()) as { readonly message: string | readonly string[] } };
}

test("an unavailable dependency is named in the response, and logged", async () => {
  expect(await get("away")).toMatchObject({ status: 503, body: { message: "the store is out of reach" } });
  expect(failures).toHaveLength(1);
});

test("a refusal is not logged; the response to a fault only names the line of the log", async () => {
  expect(await get("refused")).toMatchObject({ status: 409, body: { message: ["no"] } });
  expect(failures).toStrictEqual([]);
  const { status, body } = await get("broken");
  expect(status).toBe(500);
  expect(body.message).toMatch(/^something went wrong; the log has request [0-9a-f-]{36}$/);
});

test("without the token every request is refused", async () => {
  expect((await get("refused", "another")).status).toBe(401);
});
