import { createHmac } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { verifyWebhook, WebhookVerificationError } from "../src/index.ts";

const SECRET = `whsec_${Buffer.from("a secret of this endpoint").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another one").toString("base64")}`;
const BODY = '{"id":"evt_1","type":"booking.changed","name":"Zoë"}';

const now = () => Math.floor(Date.now() / 1000);

/** The signatures as docs/rules.md#signatures has them. */
function signed({ body = BODY, secret = SECRET, at = now() } = {}) {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const standard = createHmac("sha256", key).update(`evt_1.${at}.${body}`).digest("base64");
  return {
    "service-signature": createHmac("sha256", secret).update(body).digest("hex"),
    "webhook-id": "evt_1",
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${standard}`,
  };
}

const only = ({ "service-signature": signature }: ReturnType<typeof signed>) => ({ "Service-Signature": signature });
const event = JSON.parse(BODY) as unknown;

describe("a genuine delivery is the event", () => {
  test.each([
    ["as text", { body: BODY, headers: signed(), secrets: SECRET }],
    ["as bytes", { body: new TextEncoder().encode(BODY), headers: new Headers(signed()), secrets: [SECRET] }],
    ["signed by either secret", { body: BODY, headers: signed({ secret: OTHER }), secrets: [SECRET, OTHER] }],
    [
      "with two signatures",
      {
        body: BODY,
        headers: { ...signed(), "webhook-signature": `v1,AAAA v1a,x ${signed()["webhook-signature"]}` },
        secrets: SECRET,
      },
    ],
    [
      "of any age, if that is wanted",
      { body: BODY, headers: signed({ at: 1 }), secrets: SECRET, toleranceSeconds: Infinity },
    ],
    [
      "by our header alone",
      { body: BODY, headers: only(signed()), secrets: [OTHER, SECRET], toleranceSeconds: Infinity },
    ],
  ])("%s", async (_how, delivery) => {
    await expect(verifyWebhook(delivery)).resolves.toStrictEqual(event);
  });
});

describe("anything else is refused", () => {
  test.each([
    ["another body", { body: `${BODY} `, headers: signed(), secrets: SECRET }],
    ["another secret", { body: BODY, headers: signed(), secrets: OTHER }],
    ["too old", { body: BODY, headers: signed({ at: now() - 400 }), secrets: SECRET }],
    ["from the future", { body: BODY, headers: signed({ at: now() + 400 }), secrets: SECRET }],
    ["another time", { body: BODY, headers: { ...signed(), "webhook-timestamp": String(now() + 1) }, secrets: SECRET }],
    [
      "no time",
      {
        body: BODY,
        headers: { ...signed(), "webhook-timestamp": "soon" },
        secrets: SECRET,
        toleranceSeconds: Infinity,
      },
    ],
    ["another id", { body: BODY, headers: { ...signed(), "webhook-id": "evt_2" }, secrets: SECRET }],
    ["no signature", { body: BODY, headers: {}, secrets: SECRET }],
    ["an empty one", { body: BODY, headers: { ...signed(), "webhook-signature": "v1," }, secrets: SECRET }],
    ["not Base64", { body: BODY, headers: { ...signed(), "webhook-signature": "v1,ä" }, secrets: SECRET }],
    ["our header without a time", { body: BODY, headers: only(signed()), secrets: SECRET }],
    ["our header, wrong", { body: `${BODY} `, headers: only(signed()), secrets: SECRET, toleranceSeconds: Infinity }],
    [
      "our header, no hex",
      { body: BODY, headers: { "service-signature": "zz" }, secrets: SECRET, toleranceSeconds: Infinity },
    ],
  ])("%s", async (_what, delivery) => {
    await expect(verifyWebhook(delivery)).rejects.toBeInstanceOf(WebhookVerificationError);
  });

  test.each([[""], [[]], [["whsec_", SECRET]]])("secrets that are none: %j", async (secrets) => {
    await expect(verifyWebhook({ body: BODY, headers: signed(), secrets })).rejects.toBeInstanceOf(TypeError);
  });
});
