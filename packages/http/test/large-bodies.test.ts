import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import type { ApiRequest } from "@travel-booking/http";
import { type Service, startService } from "./support/service.ts";

const BODY = `"${"a".repeat(40_000)}"`;

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

test("of large bodies that come at once, one is looked at a turn of the event loop", async () => {
  const key = `Host: x\r\nx-api-key: ${service.key.apiKey}\r\n`;
  const request = `POST /v1/things HTTP/1.1\r\n${key}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
  const sockets = Array.from({ length: 20 }, () => connect(service.port, "127.0.0.1"));
  // Of those whose key is not known yet, only a few are read a turn.
  for (const socket of sockets) {
    socket.write(`GET /v1/nothing HTTP/1.1\r\n${key}\r\n`);
    await once(socket, "data");
  }
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const turns: number[] = [];
  const { parse } = JSON;
  const spy = jest.spyOn(JSON, "parse").mockImplementation((text) => {
    if (text === BODY) turns.push(turn);
    return parse(text);
  });
  const answers = sockets.map((socket) => once(socket, "data"));
  for (const socket of sockets) socket.write(request);
  for (const answer of answers) expect(String(await answer)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  clearImmediate(counting);
  spy.mockRestore();
  for (const socket of sockets) socket.destroy();

  expect(turns).toHaveLength(sockets.length);
  expect(new Set(turns).size).toBe(sockets.length);
});

test("a large file is written a piece at a time, whoever asks", async () => {
  const file = Buffer.alloc(200_000, "f");
  const pieces: number[] = [];
  const other = await startService({
    handlers: {
      getThing: ({ raw: { response } }: ApiRequest<never, never>) => {
        for (const name of ["write", "end"] as const) {
          const method = response[name].bind(response) as (...args: unknown[]) => never;
          response[name] = (...args: unknown[]) => {
            if (args[0] instanceof Uint8Array) pieces.push(args[0].length);
            return method(...args);
          };
        }
        return { status: 200, json: file, headers: { "Content-Type": "application/pdf" } };
      },
    },
  });
  const { text } = await other.get("/v1/things/1");
  await other.stop();
  expect(text).toHaveLength(file.length);
  expect(pieces).toStrictEqual([...new Array(6).fill(32_768), 3_392]);
});
