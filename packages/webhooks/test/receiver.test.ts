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
      said: ["signature right", '{"id":"evt_1","type":"booking.changed","object":"bkg_1"}'],
    });
  });

  test.each([
    ["another secret", { "service-signature": service("wrong", BODY) }],
    ["another body", { "service-signature": service(SECRET, `${BODY} `) }],
    ["no signature", {}],
    ["only half a signature", { "service-signature": service(SECRET, BODY).slice(0, 32) }],
    ["a second signature that is wrong", { "service-signature": service(SECRET, BODY), "webhook-signature": "v1,x" }],
  ])("prints that the signature is wrong: %s", async (_, headers) => {
    expect((await post(BODY, headers)).said?.[0]).toBe("SIGNATURE WRONG");
  });

  test("accepts any request", async () => {
    expect(await post("\u0007 no JSON", {})).toStrictEqual({
      status: 202,
      said: ["SIGNATURE WRONG", '"\\u0007 no JSON"'],
    });
  });
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
  [[], { port: 4000, secrets: ["of the environment"], status: 204 }],
  [["--port", "0", "--secret", "a", "--secret", "b", "--status", "500"], { port: 0, secrets: ["a", "b"], status: 500 }],
  [["--port", "x"], undefined],
  [["--status", "99"], undefined],
  [["--nonsense"], undefined],
])("%j means %j", (line, meaning) => {
  expect(readArguments(line, { WEBHOOK_SECRET: "of the environment" })).toStrictEqual(meaning);
});
