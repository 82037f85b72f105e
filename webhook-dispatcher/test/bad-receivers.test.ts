import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Receiver, type Respond, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { World } from "./kit/world.ts";

let world: World;
let good: Receiver;

beforeEach(async () => {
  world = await World.open();
  good = await Receiver.start();
  world.dispatcher.start();
});
afterEach(async () => {
  await world.close();
  await good.stop();
});

const NOT_VALID = /^the endpoint's answer is not valid HTTP$/;
const never: Respond = () => undefined;

/** Shortens the time-out of attempts; only for tests of the time-out. */
async function hurry(): Promise<void> {
  await world.close();
  world = await World.open({ attemptTimeoutMs: 400 });
  world.dispatcher.start();
}

/** The logged outcome of one delivery to this URL. */
async function attemptAt(url: string) {
  const endpoint = await world.endpoint(url);
  await world.event("bkg_1");
  await world.drained();
  const [first] = await world.attempts(endpoint);
  return first && { status: first.status, responseStatus: first.responseStatus, error: first.error };
}

async function attemptWith(respond: Respond) {
  const receiver = await Receiver.start(respond);
  try {
    return { attempt: await attemptAt(receiver.url), receiver };
  } finally {
    await receiver.stop();
  }
}

/** A server that sends raw bytes to every client. */
async function rawServer(said: string, end: boolean): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => (end ? socket.end(said) : socket.write(said)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}

describe("a response that is not 2xx", () => {
  test.each([
    [400, "the endpoint answered 400"],
    [404, "the endpoint answered 404"],
    [500, "the endpoint answered 500"],
    [599, "the endpoint answered 599"],
  ])("%d", async (status, error) => {
    const { attempt } = await attemptWith(respondWith(status));
    expect(attempt).toStrictEqual({ status: "failed", responseStatus: status, error });
  });

  test.each([301, 302, 303, 307, 308])("%d: redirects are not followed", async (status) => {
    const elsewhere = await Receiver.start();
    const { attempt } = await attemptWith(respondWith(status, { location: elsewhere.url }));
    const error = `the endpoint answered ${status}: redirects are not followed`;
    expect(attempt).toStrictEqual({ status: "failed", responseStatus: status, error });
    expect(elsewhere.received).toHaveLength(0);
    await elsewhere.stop();
  });
});

describe("no response", () => {
  const unanswered = (error: string) => ({ status: "failed", responseStatus: null, error });

  test("a receiver that never answers", async () => {
    await hurry();
    const { attempt } = await attemptWith(never);
    expect(attempt).toStrictEqual(unanswered("the endpoint did not answer within 0.4 seconds"));
  });

  test("one that closes the connection instead", async () => {
    const { attempt } = await attemptWith((_received, response) => void response.socket?.destroy());
    expect(attempt).toStrictEqual(unanswered("the endpoint closed the connection without an answer"));
  });

  test("one that refuses connections", async () => {
    const { url, stop } = await rawServer("", true);
    await stop();
    expect(await attemptAt(url)).toStrictEqual(unanswered("the endpoint refused the connection"));
  });

  test("one at a port that nobody may be sent to", async () => {
    expect(await attemptAt("http://127.0.0.1:25/")).toStrictEqual(
      unanswered("the URL must use port 443, 80 or one above 1023"),
    );
  });

  test.each([
    [
      "closes in the middle of the head",
      "HTTP/1.1 200 OK\r\nContent-Ty",
      true,
      /closed the connection without an answer/,
    ],
    ["does not speak HTTP", "SSH-2.0-OpenSSH_9.2\r\n", false, NOT_VALID],
    [
      "answers endless headers",
      `HTTP/1.1 200 OK\r\n${"x: ".padEnd(100_000, "y")}`,
      false,
      /headers of the endpoint's answer are too large/,
    ],
    [
      "gives its length in two ways",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\nok",
      false,
      NOT_VALID,
    ],
    ["gives two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", false, NOT_VALID],
    ["gives no number for its length", "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok", false, NOT_VALID],
    ["answers 000", "HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n", false, NOT_VALID],
    ["answers 99", "HTTP/1.1 99 Nothing\r\nContent-Length: 0\r\n\r\n", false, NOT_VALID],
    [
      "says 100 Continue over and over",
      "HTTP/1.1 100 Continue\r\n\r\n".repeat(100_000),
      false,
      /^the endpoint's answer is too long$/,
    ],
    [
      "says over and over that the answer is to come",
      "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100_000),
      false,
      /^the endpoint's answer is too long$/,
    ],
    ["sends blank lines without end", "\r\n".repeat(1_000_000), false, /^the endpoint's answer is too long$/],
    [
      "changes the protocol",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
      false,
      /^the endpoint changed the protocol, which was not asked for$/,
    ],
  ])("one that %s", async (_, said, end, error) => {
    const server = await rawServer(said, end);
    const attempt = await attemptAt(server.url);
    expect(attempt).toStrictEqual({ status: "failed", responseStatus: null, error: expect.stringMatching(error) });
    await world.dispatcher.stop();
    await server.stop();
  });

  test("one that stops in the middle of its response", async () => {
    await hurry();
    const server = await rawServer("HTTP/1.1 200 OK\r\n", false);
    const attempt = await attemptAt(server.url);
    expect(attempt).toStrictEqual(unanswered("the endpoint did not answer within 0.4 seconds"));
    await world.dispatcher.stop();
    await server.stop();
  });
});

describe("interim responses that nobody asked for are skipped", () => {
  test.each([
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
    "\r\nHTTP/1.1 100 Continue\r\nA: b\r\n\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
    `HTTP/1.1 100 Continue\r\nA: ${"b".repeat(20_000)}\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n`,
  ])("%.60j", async (said) => {
    const server = await rawServer(said, false);
    expect(await attemptAt(server.url)).toStrictEqual({ status: "succeeded", responseStatus: 204, error: null });
    await world.dispatcher.stop();
    await server.stop();
  });
});

describe("the status counts, whatever happens to the body", () => {
  const succeeded = { status: "succeeded", responseStatus: 200, error: null };

  test("an endless one is read to a bound", async () => {
    let written = 0;
    const { attempt } = await attemptWith((_received, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed) {
          written += 16_384;
          if (!response.write(Buffer.alloc(16_384))) return void response.once("drain", more);
        }
      };
      more();
    });
    expect(attempt).toStrictEqual(succeeded);
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test("a dripping one is not waited for", async () => {
    const { attempt } = await attemptWith((_received, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("x");
    });
    expect(attempt).toStrictEqual(succeeded);
  });

  test("one that ends early", async () => {
    const { attempt } = await attemptWith((_received, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("x", () => response.socket?.destroy());
    });
    expect(attempt).toStrictEqual(succeeded);
  });

  test("the body of a failure is bounded, too", async () => {
    const { attempt } = await attemptWith((_received, response) => {
      response.writeHead(500, { "content-length": "1000" });
      response.write("x", () => response.socket?.destroy());
    });
    expect(attempt).toStrictEqual({ status: "failed", responseStatus: 500, error: "the endpoint answered 500" });
  });
});

describe("one endpoint does not hold up another", () => {
  test("a thousand lanes of one that never answers, and a good one beside it", async () => {
    const dead = await Receiver.start(never);
    await world.endpoint(dead.url, { events: ["booking.changed"] });
    for (let n = 0; n < 1_000; n += 1) await world.event(`bkg_${n}`, "booking.changed");
    await dead.untilCount(4);
    await world.endpoint(good.url, { events: ["payment.succeeded"] });
    for (let n = 0; n < 40; n += 1) await world.event(`bkg_${n}`, "payment.succeeded");
    await good.untilCount(40);
    // Most of the first thousand have not even been attempted.
    expect(dead.received.length).toBeLessThan(500);
    await dead.stop();
  });
});
