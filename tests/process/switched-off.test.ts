import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";

const WEEK = 7 * 24 * 60 * 60;
const FLIGHT = "SO-1";
const CAPACITY = 60;
const PASSENGERS = [{ name: "Ada Lovelace", email: "ada@example.com" }];
const ENV = { SANDBOX_CLOCK: "true", RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "warn" };

interface Payment {
  readonly id: string;
  readonly status: string;
  readonly failureCode: string | null;
  readonly method: { readonly bankTransfer: { readonly reference: string } | null };
  readonly refunds: readonly { readonly id: string; readonly status: string }[];
}
interface Transfer {
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly paymentId: string;
}

/** Everything that falls due within a week is begun, the service is off for a week, and started again. */
describe("switched off for a week", () => {
  let service: Service;
  let apiKey: string;
  let aheadSeconds = 0;

  beforeAll(async () => {
    service = await Service.start({ env: ENV });
    await importFlights(service, [{ id: FLIGHT, departsIn: 60 }]);
    apiKey = (await service.newApiKey()).apiKey;
  });
  afterAll(() => service.discard());

  const api = () => new ApiClient(service.baseUrl, { apiKey });

  async function restart(laterBy: number): Promise<void> {
    const { code, stderr } = await service.stop();
    expect([code, stderr]).toStrictEqual([0, ""]);
    aheadSeconds += laterBy;
    const simulated = { clockAheadSeconds: aheadSeconds };
    service = await Service.start({ dataDir: service.dataDir, env: ENV, simulated });
  }

  async function book(): Promise<string> {
    const body = { flightId: FLIGHT, cabin: "economy", passengers: PASSENGERS };
    const answer = await api().post<{ id: string }>("/v1/bookings", body);
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  async function pay(bookingId: string, body: object): Promise<Payment> {
    const key = { "Idempotency-Key": `${bookingId}-${JSON.stringify(body)}`.slice(0, 200) };
    const answer = await api().post<Payment>(`/v1/bookings/${bookingId}/payments`, body, key);
    expect(answer.status).toBe(201);
    return answer.body;
  }

  async function receive(payment: Payment, amount: number): Promise<void> {
    const reference = payment.method.bankTransfer?.reference;
    expect((await service.operator("POST", "/transfers", { reference, amount })).status).toBe(200);
  }

  const statusOf = async (bookingId: string) =>
    (await api().get<{ status: string }>(`/v1/bookings/${bookingId}`)).body.status;

  async function seatsLeft(): Promise<number | undefined> {
    const flight = await api().get<{ fares: { cabin: string; seatsLeft: number }[] }>(`/v1/flights/${FLIGHT}`);
    return flight.body.fares.find(({ cabin }) => cabin === "economy")?.seatsLeft;
  }

  async function transfersOf(paymentId: string): Promise<readonly (readonly [number, string])[]> {
    const { body } = await service.operator("GET", "/transfers");
    return (body as { data: Transfer[] }).data
      .filter((row) => row.paymentId === paymentId)
      .map(({ amount, status }) => [amount, status]);
  }

  test("holds, bookings, transfers and refunds are as if it had been on", async () => {
    const held = await api().post<{ id: string }>(`/v1/flights/${FLIGHT}/seat-holds`, { seats: ["12A", "12B"] });
    expect(held.status).toBe(201);
    const unpaid = await book();
    const kept = await book();
    await pay(kept, { type: "card", token: "tok_visa" });
    const transferred = await book();
    const partial = await pay(transferred, { type: "bank_transfer" });
    await receive(partial, 1_000);
    const refunded = await book();
    const arrived = await pay(refunded, { type: "bank_transfer" });
    await receive(arrived, 129_900);
    await api().post(`/v1/bookings/${refunded}/cancel`);
    expect((await api().get<Payment>(`/v1/payments/${arrived.id}`)).body.refunds).toMatchObject([
      { status: "pending" },
    ]);
    expect(await seatsLeft()).toBe(CAPACITY - 2 - 3);

    await restart(WEEK);

    // Whether or not a timer has fired by now: each of these is decided and read by the clock.
    const seats = await api().post<{ id: string }>("/v1/bookings", {
      flightId: FLIGHT,
      cabin: "economy",
      passengers: [...PASSENGERS, ...PASSENGERS],
      holdId: held.body.id,
    });
    expect(seats.status).toBe(404);
    expect((await api().post(`/v1/bookings/${unpaid}/payments`, CARD, { "Idempotency-Key": "late" })).status).toBe(409);
    expect([await statusOf(unpaid), await statusOf(kept), await statusOf(transferred)]).toStrictEqual([
      "cancelled",
      "confirmed",
      "cancelled",
    ]);
    const failed = (await api().get<Payment>(`/v1/payments/${partial.id}`)).body;
    expect([failed.status, failed.failureCode]).toStrictEqual(["failed", "bank_transfer_expired"]);

    // What is left to the timers is done at the latest when the clock has moved a moment.
    expect((await service.operator("POST", "/clock/advance", { seconds: 1 })).status).toBe(200);
    expect(await seatsLeft()).toBe(CAPACITY - 1);
    expect((await api().post(`/v1/flights/${FLIGHT}/seat-holds`, { seats: ["12A", "12B"] })).status).toBe(201);
    expect((await api().get<Payment>(`/v1/payments/${arrived.id}`)).body.refunds).toMatchObject([
      { status: "succeeded" },
    ]);
    expect(await transfersOf(partial.id)).toStrictEqual([[1_000, "to_return"]]);
    await receive(partial, 500);
    expect(new Set((await transfersOf(partial.id)).map((row) => row.join()))).toStrictEqual(
      new Set(["1000,to_return", "500,to_return"]),
    );
    const metrics = await (await fetch(service.metricsUrl)).text();
    expect(metrics).toMatch(/^obligations_due 0$/m);
  });

  test("the clock goes on from where the operator moved it, over stops, kills and a start without SANDBOX_CLOCK", async () => {
    const now = async () => {
      const { body } = await service.operator("GET", "/clock");
      return Date.parse((body as { now: string }).now);
    };
    expect((await service.operator("POST", "/clock/advance", { seconds: 3_600 })).status).toBe(200);
    const moved = await now();
    await service.kill();
    const env = { ...ENV, SANDBOX_CLOCK: "false" };
    const simulated = { clockAheadSeconds: aheadSeconds };
    service = await Service.start({ dataDir: service.dataDir, env, simulated });
    expect(await now()).toBeGreaterThanOrEqual(moved);
    const refused = await service.operator("POST", "/clock/advance", { seconds: 1 });
    expect([refused.status, (refused.body as { message: unknown }).message]).toStrictEqual([
      409,
      ["the clock can't be moved: start the service with SANDBOX_CLOCK=true"],
    ]);
    await restart(0);
    expect(await now()).toBeGreaterThanOrEqual(moved);
  });
});

const CARD = { type: "card", token: "tok_visa" };
