import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { CrashableService } from "./support/crashable-service.ts";

interface Booking {
  readonly id: string;
  readonly status: string;
  readonly totalAmount: number;
  readonly seats: readonly string[];
}
interface Payment {
  readonly id: string;
  readonly status: string;
  readonly failureCode: string | null;
  readonly amount: number;
  readonly amountRefunded: number;
  readonly refunds: readonly { readonly status: string; readonly amount: number }[];
}
interface Flight {
  readonly fares: readonly { readonly cabin: string; readonly seatsLeft: number }[];
}

const FLIGHT = "CR-1";
const CAPACITY = 60;
const PASSENGERS = [
  { name: "Ada Lovelace", email: "ada@example.com" },
  { name: "Alan Turing", email: "alan@example.com" },
];

/**
 * One data folder for all of it: each case starts the service so that it dies at one step of one request, starts it
 * again on what is left, and looks. What earlier cases left must still be there as well.
 */
describe("killed between two steps", () => {
  let mortal: CrashableService;
  let cases = 0;

  beforeAll(async () => {
    mortal = await CrashableService.start();
    await importFlights(mortal.service, [{ id: FLIGHT, departsIn: 60 }]);
  });

  afterAll(() => mortal.discard());

  const api = () => mortal.api;

  async function newBooking(): Promise<Booking> {
    const answer = await api().post<Booking>("/v1/bookings", {
      flightId: FLIGHT,
      cabin: "economy",
      passengers: PASSENGERS,
    });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  async function pay(client: ApiClient, bookingId: string, key: string) {
    return client.post<Payment>(
      `/v1/bookings/${bookingId}/payments`,
      { type: "card", token: "tok_visa" },
      { "Idempotency-Key": key },
    );
  }

  async function paidBooking(): Promise<{ readonly booking: Booking; readonly payment: Payment }> {
    const booking = await newBooking();
    const payment = await pay(api(), booking.id, `paid-${booking.id}`);
    expect(payment.status).toBe(201);
    return { booking: (await api().get<Booking>(`/v1/bookings/${booking.id}`)).body, payment: payment.body };
  }

  async function seatsLeft(): Promise<number | undefined> {
    const flight = await api().get<Flight>(`/v1/flights/${FLIGHT}`);
    return flight.body.fares.find((fare) => fare.cabin === "economy")?.seatsLeft;
  }

  /** Seats of the bookings that are not cancelled, by the list. */
  async function passengersBooked(): Promise<number> {
    const list = await api().get<{ readonly data: readonly Booking[] }>("/v1/bookings?limit=100");
    return list.body.data.filter((booking) => booking.status !== "cancelled").length * PASSENGERS.length;
  }

  async function expectNothingLeaked(): Promise<void> {
    expect(await seatsLeft()).toBe(CAPACITY - (await passengersBooked()));
    const projections = await mortal.service.operator("GET", "/projections");
    const states = (projections.body as { data: readonly { readonly state: string }[] }).data.map(({ state }) => state);
    expect(new Set(states)).toStrictEqual(new Set(["live"]));
  }

  async function chargedFor(bookingId: string): Promise<readonly Payment[]> {
    const history = await api().get<{ readonly data: readonly { readonly type: string; readonly changes: object }[] }>(
      `/v1/bookings/${bookingId}/history?limit=100`,
    );
    const ids = history.body.data
      .filter((entry) => entry.type === "payment.created")
      .flatMap((entry) => Object.keys(entry.changes))
      .filter((field) => field.startsWith("payments."))
      .map((field) => field.slice("payments.".length));
    return Promise.all(ids.map(async (id) => (await api().get<Payment>(`/v1/payments/${id}`)).body));
  }

  const keyOf = (what: string) => {
    cases += 1;
    return `${what}-${cases}`;
  };

  describe.each(["book:allocated", "book:created"])("book, at %s", (point) => {
    test("the same request again finishes it, once", async () => {
      const before = await passengersBooked();
      const key = keyOf("book");
      const request = (client: ApiClient) =>
        client.post<Booking>(
          "/v1/bookings",
          { flightId: FLIGHT, cabin: "economy", passengers: PASSENGERS },
          { "Idempotency-Key": key },
        );
      await mortal.crashDuring(point, request);
      const again = await request(api());
      expect(again.status).toBe(201);
      await mortal.advancePastGracePeriods();
      expect((await api().get<Booking>(`/v1/bookings/${again.body.id}`)).body).toStrictEqual(again.body);
      expect(await passengersBooked()).toBe(before + PASSENGERS.length);
      await expectNothingLeaked();
      await api().post(`/v1/bookings/${again.body.id}/cancel`);
    });

    test("nobody asking again, it is there or its seats are free", async () => {
      await mortal.crashDuring(point, (client) =>
        client.post("/v1/bookings", { flightId: FLIGHT, cabin: "economy", passengers: PASSENGERS }),
      );
      await mortal.advancePastGracePeriods();
      await expectNothingLeaked();
    });
  });

  describe.each(["pay:started", "pay:charged", "pay:recorded"])("pay, at %s", (point) => {
    test("the same request again is the same payment, charged once", async () => {
      const booking = await newBooking();
      const key = keyOf("pay");
      await mortal.crashDuring(point, (client) => pay(client, booking.id, key));
      const again = await pay(api(), booking.id, key);
      expect(again.status).toBe(201);
      expect(again.body.status).toBe("succeeded");
      await mortal.advancePastGracePeriods();
      expect((await api().get<Booking>(`/v1/bookings/${booking.id}`)).body.status).toBe("confirmed");
      expect(await chargedFor(booking.id)).toStrictEqual([again.body]);
      await api().post(`/v1/bookings/${booking.id}/cancel`);
    });

    test("nobody asking again, the intent is finished: charged and confirmed, or barred and free to pay", async () => {
      const booking = await newBooking();
      await mortal.crashDuring(point, (client) => pay(client, booking.id, keyOf("pay")));
      await mortal.advancePastGracePeriods();
      const charged = point !== "pay:started";
      expect((await api().get<Booking>(`/v1/bookings/${booking.id}`)).body.status).toBe(
        charged ? "confirmed" : "pending",
      );
      expect(await chargedFor(booking.id)).toMatchObject([
        charged ? { status: "succeeded", failureCode: null } : { status: "failed", failureCode: "processing_error" },
      ]);
      const other = await pay(api(), booking.id, keyOf("other"));
      expect(other.status).toBe(charged ? 409 : 201);
      await api().post(`/v1/bookings/${booking.id}/cancel`);
      await expectNothingLeaked();
    });
  });

  describe.each(["cancel:recorded", "cancel:released", "refund:sending", "refund:sent", "refund:settled"])(
    "cancel, at %s",
    (point) => {
      test("the seats go back and the money goes back, once", async () => {
        const { booking, payment } = await paidBooking();
        await mortal.crashDuring(point, (client) => client.post(`/v1/bookings/${booking.id}/cancel`));
        await mortal.advancePastGracePeriods();
        const again = await api().post<Booking>(`/v1/bookings/${booking.id}/cancel`);
        expect([again.status, again.body.status]).toStrictEqual([200, "cancelled"]);
        const refunded = (await api().get<Payment>(`/v1/payments/${payment.id}`)).body;
        expect(refunded.amountRefunded).toBe(payment.amount);
        expect(refunded.refunds).toMatchObject([{ status: "succeeded", amount: payment.amount }]);
        await expectNothingLeaked();
      });
    },
  );

  describe.each(["refund:started", "refund:sending", "refund:sent", "refund:settled"])("refund, at %s", (point) => {
    test("the same request again is the same refund, sent once", async () => {
      const { booking, payment } = await paidBooking();
      const key = keyOf("refund");
      const request = (client: ApiClient) =>
        client.post<{ readonly id: string }>(
          `/v1/payments/${payment.id}/refunds`,
          { amount: 1_000 },
          { "Idempotency-Key": key },
        );
      await mortal.crashDuring(point, request);
      const again = await request(api());
      expect(again.status).toBe(201);
      await mortal.advancePastGracePeriods();
      const refunded = (await api().get<Payment>(`/v1/payments/${payment.id}`)).body;
      expect(refunded.amountRefunded).toBe(1_000);
      expect(refunded.refunds).toMatchObject([{ status: "succeeded", amount: 1_000 }]);
      await api().post(`/v1/bookings/${booking.id}/cancel`);
    });
  });

  describe.each(["change:reserved", "change:decided"])("change seats, at %s", (point) => {
    test("the booking has the seats it says, and no others", async () => {
      const booking = await newBooking();
      await mortal.crashDuring(point, (client) =>
        client.patch(`/v1/bookings/${booking.id}`, { seats: ["12A", "12B"] }),
      );
      await mortal.advancePastGracePeriods();
      const { seats } = (await api().get<Booking>(`/v1/bookings/${booking.id}`)).body;
      expect(seats).toStrictEqual(point === "change:decided" ? ["12A", "12B"] : []);
      const taken = await api().post("/v1/flights/CR-1/seat-holds", { seats: ["12A", "12B"] });
      expect(taken.status).toBe(seats.length > 0 ? 409 : 201);
      await mortal.advancePastGracePeriods();
      await api().post(`/v1/bookings/${booking.id}/cancel`);
      const afterwards = await mortal.service.operator("POST", "/clock/advance", { seconds: 1_200 });
      expect(afterwards.status).toBe(200);
      await expectNothingLeaked();
    });
  });

  test("the read models equal a rebuild from nothing", async () => {
    const before = await everythingRead();
    for (const name of ["bookings", "flights", "accounts", "obligations", "destinations"]) {
      const rebuilt = await mortal.service.operator("POST", `/projections/${name}/rebuild`);
      expect(rebuilt.status).toBe(200);
    }
    expect(await everythingRead()).toStrictEqual(before);
  });

  async function everythingRead(): Promise<unknown> {
    const list = await api().get<{ readonly data: readonly Booking[] }>("/v1/bookings?limit=100");
    const details = await Promise.all(
      list.body.data.map(async ({ id }) => ({
        booking: (await api().get(`/v1/bookings/${id}`)).body,
        history: (await api().get(`/v1/bookings/${id}/history?limit=100`)).body,
        payments: await chargedFor(id),
      })),
    );
    const flight = (await api().get(`/v1/flights/${FLIGHT}`)).body;
    const seatMap = (await api().get(`/v1/flights/${FLIGHT}/seat-map`)).body;
    const events = (await api().get("/v1/events?limit=100")).body;
    return { list: list.body, details, flight, seatMap, events };
  }
});
