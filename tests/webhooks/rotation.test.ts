import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { RotatedWebhookSecretBody } from "@travel-booking/api-contract";
import { type ReceivedDelivery, Receiver } from "@travel-booking/webhooks/receiver/testing";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { rebuildProjections } from "../support/rebuild-projections.ts";
import { type Endpoint, World } from "./kit/world.ts";

const DAY = 86_400;

let world: World;
let receiver: Receiver;
let endpoint: Endpoint;

beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

beforeEach(async () => {
  receiver = await Receiver.start();
  endpoint = await world.endpoint(receiver.url);
});
afterEach(async () => {
  await world.api.call("DELETE", `/v1/webhook-endpoints/${endpoint.id}`);
  await receiver.stop();
});

const rotate = (body?: object, headers?: Record<string, string>) =>
  world.api.post<RotatedWebhookSecretBody>(`/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, body, headers);

/** The next delivery, of a new booking's change. */
async function delivered(): Promise<ReceivedDelivery> {
  receiver.received.length = 0;
  await world.change(await world.book(), "R");
  await receiver.untilCount(1);
  return receiver.received[0] as ReceivedDelivery;
}

/** Which secrets signed, as the two headers have it. */
function signersOf({ headers, body }: ReceivedDelivery, secrets: Readonly<Record<string, string>>) {
  const head = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const whole = (secret: string) => createHmac("sha256", secret).update(body).digest("hex");
  const standard = (secret: string) =>
    `v1,${createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
      .update(head)
      .update(body)
      .digest("base64")}`;
  const nameOf = (sign: (secret: string) => string, signature: string) =>
    Object.entries(secrets).find(([, secret]) => sign(secret) === signature)?.[0];
  return {
    standard: String(headers["webhook-signature"])
      .split(" ")
      .map((signature) => nameOf(standard, signature)),
    service: nameOf(whole, String(headers["service-signature"])),
  };
}

test("for a day both secrets sign, then the new one alone; a rebuild changes nothing", async () => {
  const { status, body } = await rotate();
  expect([status, Object.keys(body)]).toStrictEqual([200, ["id", "secret", "previousSecretExpiresAt"]]);
  const secrets = { old: endpoint.secret, new: body.secret };
  const both = { standard: ["new", "old"], service: "old" };
  expect(signersOf(await delivered(), secrets)).toStrictEqual(both);

  const again = await rotate();
  expect([again.status, again.headers.get("service-error-code")]).toStrictEqual([409, "secret_just_rotated"]);

  await rebuildProjections(world.service);
  expect(signersOf(await delivered(), secrets)).toStrictEqual(both);

  const { now } = (await world.service.operator("GET", "/clock")).body as { readonly now: string };
  const left = Math.ceil((Date.parse(body.previousSecretExpiresAt) - Date.parse(now)) / 1_000);
  expect(left > DAY - 3_600 && left <= DAY).toBe(true);
  await world.advance(left);
  expect(signersOf(await delivered(), secrets)).toStrictEqual({ standard: ["new"], service: "new" });
  expect((await rotate()).status).toBe(200);
});

test("at once, as often as is asked for; the same key gets the same secret", async () => {
  const first = (await rotate()).body;
  const key = { "idempotency-key": `rotate-${endpoint.id}` };
  const second = await rotate({ expirePreviousNow: true }, key);
  expect(second.status).toBe(200);
  const secrets = { old: endpoint.secret, first: first.secret, second: second.body.secret };
  expect(signersOf(await delivered(), secrets)).toStrictEqual({ standard: ["second"], service: "second" });
  const replayed = await rotate({ expirePreviousNow: true }, key);
  expect(replayed.body).toStrictEqual(second.body);
});

test("an operator can, and is told why not", async () => {
  const where = { DATA_DIR: world.service.dataDir };
  const { secret } = await operatorJson<RotatedWebhookSecretBody>(where, "webhook", "rotate-secret", endpoint.id);
  const secrets = { old: endpoint.secret, new: secret };
  expect(signersOf(await delivered(), secrets)).toStrictEqual({ standard: ["new", "old"], service: "old" });
  const refused = await operatorCli(where, "webhook", "rotate-secret", endpoint.id);
  expect([refused.code, refused.stderr]).toStrictEqual([1, expect.stringContaining("--expire-previous-now")]);
  const now = await operatorJson<RotatedWebhookSecretBody>(
    where,
    "webhook",
    "rotate-secret",
    endpoint.id,
    "--expire-previous-now",
  );
  expect(signersOf(await delivered(), { now: now.secret })).toStrictEqual({ standard: ["now"], service: "now" });
  expect((await operatorCli(where, "webhook", "rotate-secret", "whe_none")).code).toBe(1);
});
