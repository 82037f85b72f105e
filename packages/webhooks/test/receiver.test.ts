import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { readArguments } from "../src/receiver/arguments.ts";
import { startReceiver, verify } from "../src/receiver/receiver.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"id":"evt_1","type":"booking.changed","data":{"object":{"id":"bkg_1"}}}';
const service = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("hex");

describe("the receiver", () => {
  const lines: string[] = [];
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeEach(async () => {
    lines.length = 0;
    receiver = await startReceiver({
      port: 0,
      secrets: ["other", SECRET],
      status: 202,
      print: (line) => lines.push(line),
    });
  });
  afterEach(() => receiver.stop());

  const post = async (body: string, headers: Record<string, string>) => {
    const { status } = await fetch(receiver.url, { method: "POST", body, headers });
    return { status, said: lines.at(-1)?.split("  ").slice(1) };
  };

  test("prints a delivery and that its signature is right", async () => {
    expect(await post(BODY, { "service-signature": service(SECRET, BODY) })).toStrictEqual({
      status: 202,
      said: ["signature right", '{"id":"evt_1","type":"booking.changed","object":"bkg_1"}', "answered with 202"],
    });
  });

  test("prints nothing that steers the terminal", async () => {
    await receiver.stop();
    const print = (line: string) => lines.push(line);
    receiver = await startReceiver({ port: 0, secrets: [], status: 204, verbose: true, print });
    const headers = { "x-note": "\u009b2J", "content-type": "text/plain" };
    await fetch(receiver.url, { method: "POST", body: "\u001b[2J\u009b\u007f\u202e", headers });
    expect(lines.join()).toContain(String.raw`    x-note: \u009b2J`);
    expect(lines.at(-1)).toBe(String.raw`    \u001b[2J\u009b\u007f\u202e`);
    expect(lines.join()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  const standard = (secret: string, timestamp: number, body = BODY) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
      .update(`msg_1.${timestamp}.${body}`)
      .digest("base64")}`,
  });
  const now = () => Math.floor(Date.now() / 1_000);

  test.each<[string, Record<string, string>, string]>([
    [
      "another secret",
      { "service-signature": service("wrong", BODY) },
      "it is of another secret than the given, or of another body",
    ],
    [
      "another body",
      { "service-signature": service(SECRET, `${BODY}!`) },
      "it is of another secret than the given, or of another body",
    ],
    ["no signature", {}, "there is none"],
    [
      "only half a signature",
      { "service-signature": service(SECRET, BODY).slice(0, 32) },
      "service-signature is no hexadecimal SHA-256",
    ],
    [
      "a second one of no form",
      { "service-signature": service(SECRET, BODY), "webhook-signature": "v1,x" },
      "webhook-signature is no v1,BASE64",
    ],
    [
      "a rotated secret",
      { ...standard(SECRET, now()), "service-signature": service("the former", BODY) },
      "service-signature is of another secret than webhook-signature: give both, the secret was rotated",
    ],
    [
      "other headers",
      { ...standard(SECRET, now()), "webhook-id": "msg_2", "service-signature": service(SECRET, BODY) },
      "webhook-signature is not of these webhook-id and webhook-timestamp, or of another secret than service-signature",
    ],
  ])("says why a signature is wrong: %s", async (_, headers, why) => {
    expect((await post(BODY, headers)).said?.[0]).toBe(`SIGNATURE WRONG: ${why}`);
  });

  test("says that the body was written anew, or that the signature is old", async () => {
    const spaced = JSON.stringify(JSON.parse(BODY), null, 1);
    expect((await post(spaced, { "service-signature": service(SECRET, BODY) })).said?.[0]).toBe(
      "SIGNATURE WRONG: the body was changed on its way: parsed and written again",
    );
    const { said } = await post(BODY, standard("whsec_wrong", now() - 3_600));
    expect(said?.[0]).toMatch(
      /^SIGNATURE WRONG: it is of another secret than the given, or of another body; and webhook-timestamp is 360\d s from now$/,
    );
    const old = { ...standard(SECRET, now() - 3_600), "service-signature": service(SECRET, BODY) };
    expect((await post(BODY, old)).said?.[0]).toMatch(/^signature right, but webhook-timestamp is 360\d s from now: /);
  });

  test("accepts any request", async () => {
    expect(await post("\u0007 no JSON", {})).toStrictEqual({
      status: 202,
      said: ["SIGNATURE WRONG: there is none", '"\\u0007 no JSON"', "answered with 202"],
    });
  });
});

test("refuses every so manyth, and prints all of a delivery if asked to", async () => {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const receiver = await startReceiver({ port: 0, secrets: [], status: 500, every: 3, verbose: true, print });
  const statuses = [];
  for (let sent = 0; sent < 6; sent += 1) {
    statuses.push((await fetch(receiver.url, { method: "POST", body: BODY, headers: { "x-seen": "yes" } })).status);
  }
  await receiver.stop();
  expect(statuses).toStrictEqual([204, 204, 500, 204, 204, 500]);
  expect(lines).toContain("    x-seen: yes");
  expect(lines).toContain(`    ${BODY}`);
});

test("the specification's own example is right", () => {
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,bm9uZQ== v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  expect(verify(SECRET, headers, Buffer.from('{"test": 2432232314}'))).toStrictEqual({
    service: undefined,
    standard: true,
  });
  expect(
    verify(SECRET, { ...headers, "webhook-timestamp": "1614265331" }, Buffer.from('{"test": 2432232314}')),
  ).toStrictEqual({
    service: undefined,
    standard: false,
  });
});

test.each([
  [[], { port: 4000, secrets: ["of the environment"], status: 204, every: 1, verbose: false }],
  [
    ["--port", "0", "--secret", "a", "--secret", "b", "--status", "500", "--every", "3", "--verbose"],
    { port: 0, secrets: ["a", "b"], status: 500, every: 3, verbose: true },
  ],
  [["--every", "0"], undefined],
  [["--port", "x"], undefined],
  [["--status", "99"], undefined],
  [["--nonsense"], undefined],
])("%j means %j", (line, meaning) => {
  expect(readArguments(line, { WEBHOOK_SECRET: "of the environment" })).toStrictEqual(meaning);
});
