import { once } from "node:events";
import fs from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { until } from "../../support/until.ts";
import { describeProxy } from "../kit/describe-proxy.ts";
import type { FakeService } from "../kit/fake-service.ts";
import type { ReverseProxy } from "../kit/proxy.ts";
import { ProxyFixture } from "../kit/proxy-fixture.ts";

const PER_ADDRESS = 2_000;
const IN_ALL = 4_000;
/** Few enough for the backlog of a listening socket. */
const AT_ONCE = 200;
/** A little more than the longest time-out, half a minute, and far less than nginx's own, a minute. */
const TIMED_OUT_WITHIN_MS = 45_000;

const REFUSED = { statusCode: 503, message: "The service is overloaded; try again.", error: "Service Unavailable" };

/** The client's address is what a header says, as if there were many machines. */
const prepare = (folder: string) =>
  fs.writeFile(path.join(folder, "address.conf"), "set_real_ip_from 127.0.0.1;\nreal_ip_header X-Real-IP;\n");

describeProxy("what clients may take of the proxy", () => {
  const setting = new ProxyFixture();
  const sockets: net.Socket[] = [];
  let holding: FakeService;
  let answering: FakeService;
  let proxy: ReverseProxy;

  beforeAll(async () => {
    holding = await setting.service("holding", () => undefined);
    answering = await setting.service("answering");
    proxy = await setting.proxy({ query: [holding.url], command: [answering.url] }, { prepare });
  });

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await setting.stop();
  });

  function connect(bytes: string): net.Socket {
    const socket = net.connect(Number(new URL(proxy.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(bytes);
    sockets.push(socket);
    return socket;
  }

  /** So many requests from these addresses, in turn, that get no answer. */
  async function hold(count: number, ...addresses: readonly string[]): Promise<void> {
    const before = holding.received.length;
    for (let opened = 0; opened < count; ) {
      connect(`GET /v1/events HTTP/1.1\r\nHost: x\r\nX-Real-IP: ${addresses[opened % addresses.length]}\r\n\r\n`);
      opened += 1;
      if (opened % AT_ONCE === 0 || opened === count) {
        await until(async () => holding.received.length === before + opened);
      }
    }
  }

  async function ask(address: string) {
    const response = await fetch(`${proxy.url}/v1/bookings`, {
      method: "POST",
      headers: { "X-Real-IP": address, "X-Request-Id": "asked" },
    });
    const [id, retry] = ["x-request-id", "retry-after"].map((name) => response.headers.get(name));
    return { status: response.status, id, retry, body: await response.json() };
  }

  const refused = { status: 503, id: "asked", retry: "1", body: REFUSED };
  const answered = { status: 200, id: null, retry: null, body: { service: "answering" } };

  test("connections, of an address and in all", async () => {
    await hold(PER_ADDRESS, "192.0.2.1");
    expect(await ask("192.0.2.1")).toStrictEqual(refused);
    expect(await ask("192.0.2.2")).toStrictEqual(answered);

    // The addresses of a network of 64 bits are one.
    await hold(IN_ALL - PER_ADDRESS - 1, "2001:db8::1", "2001:db8::2:0:0:1");
    expect(await ask("2001:db8::3")).toStrictEqual(answered);
    await hold(1, "2001:db8::4");
    expect(await ask("192.0.2.2")).toStrictEqual(refused);

    for (const socket of sockets.slice(0, 10)) socket.destroy();
    await until(async () => (await ask("192.0.2.2")).status === 200);
    expect(await ask("2001:db8::3")).toStrictEqual(refused);
    expect(await ask("2001:db8:0:1::1")).toStrictEqual(answered);
  }, 60_000);

  test(
    "time: for a head, for a body, and to read an answer",
    async () => {
      const { promise: abandoned, resolve } = Promise.withResolvers<void>();
      const endless = await setting.service("endless", (_, response) => {
        response.once("close", resolve);
        const more = () => {
          while (response.write(Buffer.alloc(65_536)));
        };
        response.on("drain", more);
        more();
      });
      const other = await setting.proxy({ query: [endless.url], command: [answering.url] });
      const open = (bytes: string) => {
        const socket = net.connect(Number(new URL(other.url).port), "127.0.0.1");
        socket.write(bytes);
        sockets.push(socket);
        return socket;
      };
      const head = open("GET /v1/events HTTP/1.1\r\nHost");
      const body = open("POST /v1/bookings HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
      open("GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n");
      await Promise.all([once(head.resume(), "close"), once(body.resume(), "close"), abandoned]);
      expect(answering.received.filter(({ headers }) => headers["content-length"] === "9")).toStrictEqual([]);
    },
    TIMED_OUT_WITHIN_MS,
  );
});
