import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { CrashableService } from "./support/crashable-service.ts";

interface Booking {
  readonly id: string;
  readonly status: string;
  readonly cabin: string;
  readonly totalAmount: number;
}
interface Account {
  readonly pointsBalance: number;
}
interface List<Item> {
  readonly data: readonly Item[];
}
interface Transaction {
  readonly type: string;
  readonly points: number;
  readonly balanceAfter: number;
}

const FLIGHT = "CR-2";
const PASSENGERS = [{ name: "Ada Lovelace", email: "ada@example.com" }];
const FARE = 129_900;
const COST = { cabin_upgrade: 40_000, booking_credit: 10_000, extra_baggage: 8_000 };

/**
 * One data folder for all of it, as in the other tests of killed processes: each case starts the service so that it
 * dies at one step of one request, starts it again on what is left, and looks.
 */
describe("killed between two steps of a redemption", () => {
  let mortal: CrashableService;
  let keys = 0;

  beforeAll(async () => {
    mortal = await CrashableService.start();
    await importFlights(mortal.service, [{ id: FLIGHT, departsIn: 60 }]);
    const given = await mortal.service.operator("POST", "/loyalty/adjustments", {
      accountId: mortal.credential.accountId,
      points: 1_000_000,
      reason: "to be spent",
    });
    expect(given.status).toBe(201);
  });

  afterAll(() => mortal.discard());

  const api = () => mortal.api;
  const newKey = () => {
    keys += 1;
    return { "Idempotency-Key": `redeem-${keys}` };
  };

  const balance = async () => (await api().get<Account>("/v1/loyalty/account")).body.pointsBalance;
  const booking = async (id: string) => (await api().get<Booking>(`/v1/bookings/${id}`)).body;

  async function newBooking(): Promise<Booking> {
    const body = { flightId: FLIGHT, cabin: "economy", passengers: PASSENGERS };
    const answer = await api().post<Booking>("/v1/bookings", body);
    expect(answer.status).toBe(201);
    return answer.body;
  }

  /** How many rewards a booking was given, by its history. */
  async function rewardsOf(id: string): Promise<number> {
    const history = await api().get<List<{ readonly changes: object }>>(`/v1/bookings/${id}/history?limit=100`);
    return history.body.data.filter(({ changes }) => Object.keys(changes).some((field) => field.startsWith("rewards.")))
      .length;
  }

  /** The books add up, and no seat of a cabin is lost or promised twice. */
  async function expectNothingLeaked(): Promise<void> {
    const list = await api().get<List<Transaction>>("/v1/loyalty/transactions?limit=100");
    const sum = list.body.data.reduce((total, { points }) => total + points, 0);
    expect([await balance(), list.body.data[0]?.balanceAfter]).toStrictEqual([sum, sum]);
    const bookings = (await api().get<List<Booking>>("/v1/bookings?limit=100")).body.data;
    const flight = await api().get<{ fares: { cabin: string; seatsLeft: number }[] }>(`/v1/flights/${FLIGHT}`);
    for (const { cabin, seatsLeft } of flight.body.fares) {
      const taken = bookings.filter((one) => one.status !== "cancelled" && one.cabin === cabin).length;
      expect([cabin, seatsLeft]).toStrictEqual([cabin, (cabin === "business" ? 4 : 60) - taken]);
    }
  }

  describe.each([
    ["extra_baggage", "redeem:set-aside"],
    ["extra_baggage", "redeem:given"],
    ["extra_baggage", "redeem:completed"],
    ["booking_credit", "redeem:set-aside"],
    ["booking_credit", "redeem:given"],
    ["cabin_upgrade", "redeem:set-aside"],
    ["cabin_upgrade", "redeem:reserved"],
    ["cabin_upgrade", "redeem:given"],
    ["cabin_upgrade", "redeem:applied"],
    ["cabin_upgrade", "redeem:completed"],
  ] as const)("%s, at %s", (reward, point) => {
    test("nobody asking again, the points are taken if and only if the reward was given", async () => {
      const before = await balance();
      const { id } = await newBooking();
      await mortal.crashDuring(point, (client) => client.post("/v1/loyalty/redemptions", { reward, bookingId: id }));
      await mortal.advancePastGracePeriods();
      const given = await rewardsOf(id);
      expect(given).toBe(["redeem:set-aside", "redeem:reserved"].includes(point) ? 0 : 1);
      expect(await balance()).toBe(before - given * COST[reward]);
      if (reward === "cabin_upgrade") expect((await booking(id)).cabin).toBe(given === 1 ? "business" : "economy");
      await api().post(`/v1/bookings/${id}/cancel`);
      await expectNothingLeaked();
      await useUpCredit();
    });

    test("the same request again gives it once", async () => {
      const before = await balance();
      const { id } = await newBooking();
      const key = newKey();
      const request = (client: ApiClient) =>
        client.post<{ readonly points: number }>("/v1/loyalty/redemptions", { reward, bookingId: id }, key);
      await mortal.crashDuring(point, request);
      const again = await request(api());
      expect([again.status, again.body.points]).toStrictEqual([201, COST[reward]]);
      await mortal.advancePastGracePeriods();
      expect(await rewardsOf(id)).toBe(1);
      expect(await balance()).toBe(before - COST[reward]);
      await api().post(`/v1/bookings/${id}/cancel`);
      await expectNothingLeaked();
      await useUpCredit();
    });
  });

  /** Credit of a cancelled booking is in the bank: the next booking takes it along, and is left as it is. */
  async function useUpCredit(): Promise<void> {
    for (;;) if ((await newBooking()).totalAmount === FARE) return;
  }

  describe.each(["book:allocated", "book:credit-claimed", "book:created"])("book with credit, at %s", (point) => {
    test("each cent is used once", async () => {
      expect((await api().post("/v1/loyalty/redemptions", { reward: "booking_credit" })).status).toBe(201);
      const body = { flightId: FLIGHT, cabin: "economy", passengers: PASSENGERS };
      await mortal.crashDuring(point, (client) => client.post("/v1/bookings", body));
      await mortal.advancePastGracePeriods();
      const used =
        (await api().get<List<Booking>>("/v1/bookings?limit=100")).body.data[0]?.totalAmount === FARE - 10_000;
      expect(used).toBe(point === "book:created");
      expect((await newBooking()).totalAmount).toBe(used ? FARE : FARE - 10_000);
      expect((await newBooking()).totalAmount).toBe(FARE);
    });
  });

  test("the read models equal a rebuild from nothing", async () => {
    const everything = async () => ({
      account: (await api().get("/v1/loyalty/account")).body,
      transactions: (await api().get("/v1/loyalty/transactions?limit=100")).body,
      redeemed: (await api().get("/v1/loyalty/transactions?limit=100&type=redeem")).body,
      bookings: (await api().get("/v1/bookings?limit=100")).body,
      flight: (await api().get(`/v1/flights/${FLIGHT}`)).body,
    });
    const before = await everything();
    for (const name of ["loyalty", "bookings", "flights", "obligations"]) {
      expect((await mortal.service.operator("POST", `/projections/${name}/rebuild`)).status).toBe(200);
    }
    expect(await everything()).toStrictEqual(before);
  });
});
