import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { newFolder } from "../engines/processes/new-folder.ts";
import { ServerProcess } from "../engines/processes/server-process.ts";
import { type BookedPayment, StripeDouble, signature } from "../engines/stripe/index.ts";

const HOUR = 3_600_000;

let double: StripeDouble;
beforeEach(async () => {
  double = await StripeDouble.start();
});
afterEach(() => double.stop());

interface Said {
  readonly status: number;
  readonly replayed: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: whatever Stripe's JSON has
  readonly body: any;
}

async function ask(
  method: "GET" | "POST",
  route: string,
  form: Record<string, string> = {},
  key?: string,
): Promise<Said> {
  const fields = new URLSearchParams(form).toString();
  const answer = await fetch(`${double.url}/v1/${route}${method === "GET" ? `?${fields}` : ""}`, {
    method,
    headers: { Authorization: `Bearer ${double.secretKey}`, ...(key !== undefined && { "Idempotency-Key": key }) },
    ...(method === "POST" && { body: fields }),
  });
  const replayed = answer.headers.get("idempotent-replayed") === "true";
  return { status: answer.status, replayed, body: await answer.json() };
}

const CONFIRMED = { amount: "1000", currency: "usd", confirm: "true", payment_method: "pm_card_visa" };
const pay = (more: Record<string, string> = {}, key?: string) =>
  ask("POST", "payment_intents", { ...CONFIRMED, ...more }, key);

describe("a key", () => {
  test("has its first answer, a success or a decline, for 24 hours", async () => {
    const first = await pay({ payment_method: "pm_card_chargeDeclined" }, "key");
    expect([first.status, first.body.error.code, first.replayed]).toStrictEqual([402, "card_declined", false]);
    double.advance(23 * HOUR);
    expect(await pay({ payment_method: "pm_card_chargeDeclined" }, "key")).toStrictEqual({ ...first, replayed: true });
    double.advance(2 * HOUR);
    expect((await pay({ payment_method: "pm_card_chargeDeclined" }, "key")).replayed).toBe(false);
    expect(double.payments().length).toBe(2);
  });

  test("is no other request's", async () => {
    await pay({}, "key");
    for (const said of [await pay({ amount: "2000" }, "key"), await ask("POST", "customers", {}, "key")]) {
      expect([said.status, said.body.error.type]).toStrictEqual([400, "idempotency_error"]);
    }
  });

  test("keeps an error of the server, whether or not it hides a charge", async () => {
    for (const [fault, taken] of [
      ["500 before", 0],
      ["500 after", 1_000],
    ] as const) {
      const key = fault;
      double.failNext("POST /v1/payment_intents", fault);
      expect(await pay({}, key)).toMatchObject({ status: 500, replayed: false });
      expect(await pay({}, key)).toMatchObject({ status: 500, replayed: true });
      expect(double.payments().reduce((sum, { received }) => sum + received, 0)).toBe(taken);
    }
  });

  test.each(["429", "503", "500 unkept", "403"] as const)("is not taken by %s", async (fault) => {
    double.failNext("POST /v1/payment_intents", fault);
    expect((await pay({}, "key")).status).toBe(Number(fault.slice(0, 3)));
    expect(await pay({}, "key")).toMatchObject({ status: 200, replayed: false });
  });

  test("is not taken by what fails validation", async () => {
    expect((await pay({ tip: "1" }, "key")).body.error.code).toBe("parameter_unknown");
    expect(await pay({}, "key")).toMatchObject({ status: 200, replayed: false });
  });

  test("is in use while its first request is under way", async () => {
    double.failNext("POST /v1/payment_intents", "hold before");
    const first = pay({}, "key");
    while (double.requests().length < 1) await new Promise((resolve) => setImmediate(resolve));
    expect(await pay({}, "key")).toMatchObject({ status: 409, body: { error: { code: "idempotency_key_in_use" } } });
    double.release();
    expect((await first).status).toBe(200);
    expect(await pay({}, "key")).toMatchObject({ status: 200, replayed: true });
  });
});

describe("objects", () => {
  test("a charge shows its card where it is asked for", async () => {
    const { body } = await pay({ "expand[]": "latest_charge", "metadata[payment_id]": "pay_1" });
    expect(body).toMatchObject({
      status: "succeeded",
      amount_received: 1_000,
      metadata: { payment_id: "pay_1" },
      latest_charge: { payment_method_details: { card: { brand: "visa", last4: "4242", wallet: null } } },
    });
    const fetched = await ask("GET", `payment_intents/${body.id}`);
    expect(fetched.body.latest_charge).toBe(body.latest_charge.id);
  });

  test("what has succeeded can't be cancelled, what was never confirmed can", async () => {
    const { body: paid } = await pay();
    expect((await ask("POST", `payment_intents/${paid.id}/cancel`)).body.error.code).toBe(
      "payment_intent_unexpected_state",
    );
    const { body: open } = await ask("POST", "payment_intents", { amount: "1000", currency: "usd" });
    expect((await ask("POST", `payment_intents/${open.id}/cancel`)).body.status).toBe("canceled");
  });

  test("search lags behind lists", async () => {
    double.lagSearch(60_000);
    await pay({ "metadata[payment_id]": "pay_1" });
    const search = () => ask("GET", "payment_intents/search", { query: "metadata['payment_id']:'pay_1'" });
    expect((await search()).body.data).toStrictEqual([]);
    expect((await ask("GET", "payment_intents")).body.data.length).toBe(1);
    double.advance(61_000);
    expect((await search()).body.data).toMatchObject([{ metadata: { payment_id: "pay_1" } }]);
  });

  test("lists go on after the last one", async () => {
    for (const amount of ["1000", "2000", "3000"]) await pay({ amount });
    const { body: first } = await ask("GET", "payment_intents", { limit: "2" });
    const after = first.data[1].id;
    const { body: second } = await ask("GET", "payment_intents", { limit: "2", starting_after: after });
    const amounts = [...first.data, ...second.data].map(({ amount }) => amount);
    expect([amounts, first.has_more, second.has_more]).toStrictEqual([[3_000, 2_000, 1_000], true, false]);
  });

  test("no more is refunded than was charged; what comes back can be refunded again", async () => {
    const { body: intent } = await pay();
    const refund = (amount: string) => ask("POST", "refunds", { payment_intent: intent.id, amount });
    expect((await refund("1001")).status).toBe(400);
    const { body: whole } = await refund("1000");
    expect((await refund("1")).body.error.code).toBe("charge_already_refunded");
    double.failRefund(whole.id, "expired_or_canceled_card");
    expect((await refund("1000")).status).toBe(200);
    expect(double.payments()).toMatchObject([{ received: 1_000, refunded: 1_000 }]);
  });

  test("a saved card is its customer's alone", async () => {
    const { body: customer } = await ask("POST", "customers", { "metadata[account_id]": "acc_1" });
    const saving = { customer: customer.id, setup_future_usage: "off_session" };
    const { body } = await pay(saving);
    expect((await pay({ payment_method: body.payment_method })).status).toBe(400);
    expect((await pay({ ...saving, payment_method: body.payment_method })).status).toBe(200);
  });
});

test("events are posted with a signature, as often and in the order that is wanted", async () => {
  const bodies: string[] = [];
  const headers: string[] = [];
  const server = http.createServer(async (request, response) => {
    headers.push(String(request.headers["stripe-signature"]));
    bodies.push(await text(request));
    response.writeHead(bodies.length === 1 ? 500 : 204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await pay();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await double.deliver(url, { times: 2, backwards: true, at: 1_000 })).toStrictEqual([
    500, 204, 204, 204, 204, 204,
  ]);
  server.close();
  expect(bodies.map((body) => JSON.parse(body).type)).toStrictEqual([
    ...Array.from({ length: 2 }, () => "payment_intent.succeeded"),
    ...Array.from({ length: 2 }, () => "charge.succeeded"),
    ...Array.from({ length: 2 }, () => "payment_intent.created"),
  ]);
  expect(headers).toStrictEqual(bodies.map((body) => signature(body, double.webhookSecret, 1_000)));
});

test("in a process of its own it is told over HTTP what to do", async () => {
  const main = path.resolve(import.meta.dirname, "../engines/stripe/main.ts");
  await double.stop();
  const server = await ServerProcess.start({
    command: process.execPath,
    args: [main, "--port", String(new URL(double.url).port)],
    folder: newFolder("stripe"),
    ready: /"url"/,
  });
  try {
    const tell = async (name: string, ...parameters: unknown[]) =>
      (await fetch(`${double.url}/_double/${name}`, { method: "POST", body: JSON.stringify(parameters) })).json();
    await tell("failNext", "POST /v1/payment_intents", "503");
    expect((await pay()).status).toBe(503);
    expect((await pay()).status).toBe(200);
    expect((await tell("payments")) as readonly BookedPayment[]).toMatchObject([{ received: 1_000 }]);
  } finally {
    await server.stop();
  }
});
