import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { type AcknowledgedWrites, bookUntilStopped, lostWrites } from "./kit/booking-load.ts";

const ENV = {
  RATE_LIMIT_PER_MINUTE: "0",
  QUOTA_UNPAID_SEATS_PERCENT: "100",
  LOG_LEVEL: "warn",
  SANDBOX_CLOCK: "true",
};
const FLIGHTS = ["UL-1", "UL-2", "UL-3"];
const SEATS = 600;
const CLIENTS = 40;
const ENOUGH = 150;

/** One data folder for all of it: what an earlier end left must still be there after the later ones. */
describe("ended while many clients book and pay", () => {
  let service: Service;
  let apiKey: string;
  const acknowledged: AcknowledgedWrites = { bookings: new Map(), payments: new Map(), unexpectedResponses: [] };

  beforeAll(async () => {
    service = await Service.start({ env: ENV });
    await importFlights(
      service,
      FLIGHTS.map((id) => ({ id, departsIn: 60, rows: [10, 109] })),
    );
    apiKey = (await service.newApiKey()).apiKey;
  });
  afterAll(() => service.discard());

  test.each(["SIGKILL", "SIGTERM", "SIGKILL"] as const)("%s loses nothing", async (signal) => {
    let from = 0;
    const end = () => {
      from = performance.now();
      service.process.kill(signal);
    };
    const during = await bookUntilStopped(service.baseUrl, apiKey, FLIGHTS, CLIENTS, {
      bookings: ENOUGH,
      reached: end,
    });
    const ended = await service.ended;
    if (signal === "SIGTERM") {
      expect([ended.code, ended.signal, ended.stderr]).toStrictEqual([0, null, ""]);
      expect(performance.now() - from).toBeLessThan(10_000);
    }
    expect(during.unexpectedResponses).toStrictEqual([]);
    expect(during.bookings.size).toBeGreaterThanOrEqual(ENOUGH);
    for (const [id, booking] of during.bookings) acknowledged.bookings.set(id, booking);
    for (const [id, payment] of during.payments) acknowledged.payments.set(id, payment);

    service = await Service.start({ dataDir: service.dataDir, env: ENV });
    const api = new ApiClient(service.baseUrl, { apiKey });
    expect(await lostWrites(api, acknowledged)).toStrictEqual([]);
  });

  test("and every seat is either free or somebody's", async () => {
    const advanced = await service.operator("POST", "/clock/advance", { seconds: 300 });
    expect(advanced.status).toBe(200);
    const api = new ApiClient(service.baseUrl, { apiKey });
    const booked = new Map<string, number>();
    let cursor = "";
    do {
      const page = await api.get<{ data: { flightId: string }[]; page: { nextCursor: string | null } }>(
        `/v1/bookings?limit=100${cursor}`,
      );
      for (const { flightId } of page.body.data) booked.set(flightId, (booked.get(flightId) ?? 0) + 1);
      cursor = page.body.page.nextCursor === null ? "" : `&cursor=${page.body.page.nextCursor}`;
    } while (cursor !== "");
    for (const id of FLIGHTS) {
      const flight = await api.get<{ fares: { cabin: string; seatsLeft: number }[] }>(`/v1/flights/${id}`);
      const left = flight.body.fares.find(({ cabin }) => cabin === "economy")?.seatsLeft;
      expect(left).toBe(SEATS - (booked.get(id) ?? 0));
    }
  });
});
