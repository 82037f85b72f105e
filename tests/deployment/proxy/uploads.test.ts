import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { afterEach, expect, test } from "@jest/globals";
import { describeProxy } from "../kit/describe-proxy.ts";
import { ProxyFixture } from "../kit/proxy-fixture.ts";

const MIB = 1_048_576;

describeProxy("the proxy and bodies of requests", () => {
  const setting = new ProxyFixture();
  afterEach(() => setting.stop());

  const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

  test.each([
    ["of a known length", true],
    ["in chunks", false],
  ])("the largest document there can be arrives as it was sent, %s", async (_, declared) => {
    const command = await setting.service("command", (request, response) => {
      const hash = createHash("sha256");
      request.on("data", (chunk) => hash.update(chunk));
      request.on("end", () => response.end(JSON.stringify({ sha256: hash.digest("hex") })));
    });
    const proxy = await setting.proxy({ command: [command.url] });
    const document = randomBytes(10.5 * MIB);
    const body = declared ? document : new Blob([document]).stream();
    const response = await fetch(`${proxy.url}/v1/bookings/bkg_1/documents`, { method: "POST", body, duplex: "half" });
    expect([response.status, await response.json()]).toStrictEqual([200, { sha256: sha256(document) }]);
    const headers = command.received[0]?.headers;
    expect([headers?.["content-length"], headers?.["transfer-encoding"]]).toStrictEqual(
      declared ? [String(document.length), undefined] : [undefined, "chunked"],
    );
  });

  test("a service reads while the client still sends", async () => {
    const { promise: firstPart, resolve } = Promise.withResolvers<string>();
    const command = await setting.service("command", (request, response) => {
      request.setEncoding("utf8").once("data", resolve);
      request.on("end", () => response.end("{}"));
    });
    const proxy = await setting.proxy({ command: [command.url] });
    const request = http.request(`${proxy.url}/v1/bookings/bkg_1/documents`, { method: "POST" });
    request.write("the first part");
    expect(await firstPart).toBe("the first part");
    request.end("and the rest");
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    expect(response.resume().statusCode).toBe(200);
  });

  test("an answer that a service gives early is passed on, though more was to come", async () => {
    const command = await setting.service("command", (request, response) => {
      response.writeHead(400, { "Content-Type": "application/json" });
      response.end('{"statusCode":400,"message":["body must have at most 1048576 bytes"]}');
      request.resume();
    });
    const proxy = await setting.proxy({ command: [command.url] });
    const url = `${proxy.url}/v1/bookings/bkg_1/documents`;
    const response = await fetch(url, { method: "POST", body: Buffer.alloc(4 * MIB) });
    expect([response.status, await response.json()]).toStrictEqual([
      400,
      { statusCode: 400, message: ["body must have at most 1048576 bytes"] },
    ]);
  });

  test("a service gets a body that is no document once all of it is there, as large as the service reads", async () => {
    const command = await setting.service("command", (request, response) => {
      let size = 0;
      request.on("data", (chunk) => {
        size += chunk.length;
      });
      request.on("end", () => response.end(JSON.stringify({ size })));
    });
    const proxy = await setting.proxy({ command: [command.url] });
    const slow = http.request(`${proxy.url}/v1/oauth/token`, { method: "POST" });
    slow.write("the first part");
    const response = await fetch(`${proxy.url}/v1/bookings`, { method: "POST", body: Buffer.alloc(MIB) });
    expect(await response.json()).toStrictEqual({ size: MIB });
    expect(command.received.map(({ target }) => target)).toStrictEqual(["/v1/bookings"]);
    slow.end(" and the rest");
    const [answer] = (await once(slow, "response")) as [http.IncomingMessage];
    expect(answer.resume().statusCode).toBe(200);
  });

  test.each([
    ["/v1/bookings", 1],
    ["/v1/bookings/bkg_1/documents", 16],
  ])("what no service would read to its end does not get that far: %s, above %i MiB", async (path, mib) => {
    const command = await setting.service("command");
    const proxy = await setting.proxy({ command: [command.url] });
    const response = await fetch(proxy.url + path, { method: "POST", body: Buffer.alloc(mib * MIB + 1) });
    expect([response.status, await response.json()]).toStrictEqual([
      400,
      { statusCode: 400, message: ["the body of the request is too large"], error: "Bad Request" },
    ]);
    expect(command.received).toStrictEqual([]);
  });
});
