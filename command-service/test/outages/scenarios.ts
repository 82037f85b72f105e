import { expect } from "@jest/globals";
import { caseIdOf, DAY, type FlightCommand } from "@travel-booking/domain";
import { systemContext } from "../../src/command-handling/command.ts";
import { flightStream } from "../../src/streams.ts";
import { adjustPoints, redeem } from "../loyalty/loyalty-fixtures.ts";
import { BODY as PROFILE, save } from "../passengers/passenger-calls.ts";
import { ADA, DEPARTS_AT, economy, FLIGHT, party, plan } from "../support/sample.ts";
import type { CallResponse, Service } from "../support/service.ts";

/** A request, past authentication and validation. */
export interface Call {
  readonly operation: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Makes what the request is about, and the request. */
export type Scenario = (service: Service) => Promise<Call>;

/** A day after the flight that everybody has booked. */
const OTHER = "KP444";
const ENDPOINT = { url: "https://8.8.8.8/events", events: ["booking.changed"] };

/** By operation, then by what is special about it: as many streams as one request can touch. */
export const SCENARIOS: Readonly<Record<string, Readonly<Record<string, Scenario>>>> = {
  createSeatHold: {
    plain: async () => ({ operation: "createSeatHold", params: { id: FLIGHT }, body: { seats: ["10A"] } }),
  },
  releaseSeatHold: {
    plain: async (service) => {
      const { id: holdId } = made(await service.hold(["10A"]));
      return { operation: "releaseSeatHold", params: { id: FLIGHT, holdId } };
    },
  },
  createBooking: {
    "with seats": async () => booking({ seats: ["10A"] }),
    "with a hold and credit": async (service) => {
      await bank(service);
      return booking({ holdId: made(await service.hold(["10A"])).id });
    },
  },
  changeBooking: {
    "of its reference": async (service) => change(await booked(service), { reference: "window please" }),
    "of its seats": async (service) => change(await booked(service), { seats: ["10B"], reference: "window please" }),
    "of its seats, which another request has reserved and not got": async (service) => {
      const id = await booked(service);
      await reserve(service, id, "10B");
      return change(id, { seats: ["10B"] });
    },
    "to a hold's seats": async (service) =>
      change(await booked(service), { holdId: made(await service.hold(["11A"])).id }),
    "that gives credit back": async (service) => {
      await bank(service, 11);
      return change(made(await service.book({ passengers: party(1), seats: ["11A"] })).id, { seats: ["10A"] });
    },
  },
  cancelBooking: {
    unpaid: async (service) => cancel(await booked(service)),
    paid: async (service) => cancel((await paid(service)).bookingId),
    "with credit": async (service) => {
      await bank(service);
      return cancel(await booked(service));
    },
  },
  refundDisruption: {
    "of a cancelled flight": (service) =>
      answer(service, "refundDisruption", { ...DECIDED, type: "CancelFlight", policy: "offer" }),
  },
  acceptDisruption: {
    "of another flight": async (service) => {
      const offered = { ...DECIDED, type: "CancelFlight", policy: "offer", into: [OTHER] } as const;
      return { ...(await answer(service, "acceptDisruption", offered)), body: { revision: 2 } };
    },
    "of a flight at another time": (service) =>
      answer(service, "acceptDisruption", {
        ...DECIDED,
        type: "RetimeFlight",
        departsAt: DEPARTS_AT + DAY,
        tolerance: { earlier: 0, later: 0 },
      }),
    "of a lower cabin": async (service) => {
      const { id } = made(await service.book({ cabin: "business", passengers: party(1) }));
      await service.onFlight({ ...DECIDED, type: "ChangeEquipment", cabins: [economy], confirmed: [id] });
      await service.runDueTasksUntil(service.systems.clock.now());
      return { operation: "acceptDisruption", params: { id: caseIdOf(id, 1) }, body: { revision: 1 } };
    },
  },
  rebookDisruption: {
    "to another flight": async (service) => {
      const call = await answer(service, "rebookDisruption", { ...DECIDED, type: "CancelFlight", policy: "offer" });
      return { ...call, body: { ...call.body, flightId: OTHER } };
    },
  },
  createPayment: {
    "by card": async (service) => {
      const id = await booked(service);
      return { operation: "createPayment", params: { id }, body: { type: "card", token: "tok_visa", saveCard: false } };
    },
    "by transfer": async (service) => {
      const id = await booked(service);
      return { operation: "createPayment", params: { id }, body: { type: "bank_transfer" } };
    },
  },
  createRefund: {
    partial: async (service) => {
      const { paymentId } = await paid(service);
      const body = { amount: 1_000, reason: "requested_by_customer" };
      return { operation: "createRefund", params: { id: paymentId }, body };
    },
  },
  createRedemption: {
    "of the account": async (service) => redemption(service, { reward: "booking_credit" }),
    "of a credit for a booking": async (service) =>
      redemption(service, { reward: "booking_credit", bookingId: await booked(service) }),
    "of an upgrade, for which the quota of unpaid seats asks what is paid": async (service) => {
      const { id } = made(await service.book({ cabin: "business", passengers: party(1), seats: ["1A"] }));
      made(await service.pay(id));
      return redemption(service, { reward: "cabin_upgrade", bookingId: await booked(service) });
    },
    "of an upgrade": async (service) =>
      redemption(service, { reward: "cabin_upgrade", bookingId: await booked(service) }),
  },
  uploadDocument: {
    plain: async (service) => {
      const id = await booked(service);
      const file = { uploadId: "upl_1", fileName: "a.pdf", contentType: "application/pdf", sizeBytes: 9, sha256: "00" };
      return { operation: "uploadDocument", params: { id }, body: { ...file, isRecorded: false } };
    },
  },
  createPassenger: {
    plain: async () => ({ operation: "createPassenger", body: PROFILE }),
  },
  changePassenger: {
    "of the name": async (service) => changePassenger(service, { firstName: "Augusta" }),
    "of the address": async (service) => changePassenger(service, { email: "countess@example.com" }),
  },
  deletePassenger: {
    plain: async (service) => ({ operation: "deletePassenger", params: { id: made(await save(service)).id } }),
  },
  createWebhookEndpoint: {
    plain: async () => ({ operation: "createWebhookEndpoint", body: ENDPOINT }),
  },
  changeWebhookEndpoint: {
    plain: async (service) => ({
      operation: "changeWebhookEndpoint",
      params: { id: await endpoint(service) },
      body: { events: ["*"], headers: { "X-Key": "second" } },
    }),
  },
  deleteWebhookEndpoint: {
    plain: async (service) => ({ operation: "deleteWebhookEndpoint", params: { id: await endpoint(service) } }),
  },
  resumeWebhookEndpoint: {
    plain: async (service) => ({ operation: "resumeWebhookEndpoint", params: { id: await endpoint(service) } }),
  },
  rotateWebhookSecret: {
    plain: async (service) => ({ operation: "rotateWebhookSecret", params: { id: await endpoint(service) } }),
  },
};

/** All of them, by name. */
export const SCENARIO_CASES = Object.entries(SCENARIOS).flatMap(([operation, scenarios]) =>
  Object.entries(scenarios).map(([what, scenario]): [string, Scenario] => [`${operation}, ${what}`, scenario]),
);

function made<Body>({ status, body }: CallResponse<Body>): Body {
  expect(status).toBe(201);
  return body;
}

function booking(more: object): Call {
  return {
    operation: "createBooking",
    body: { flightId: FLIGHT, cabin: "economy", passengers: party(1), ...more },
  };
}

function change(id: string, body: object): Call {
  return { operation: "changeBooking", params: { id }, body };
}

/** What a request leaves that ends before its booking decides. */
async function reserve({ services, systems: { ids } }: Service, bookingId: string, seat: string): Promise<void> {
  const seats = { bookingId, accountId: ADA, changeId: ids.next(), seats: [seat], holdId: null };
  await services.handler.execute({
    ...flightStream(FLIGHT),
    command: { type: "ReserveSeatChange", ...seats },
    context: systemContext(services),
    reply: () => undefined,
  });
}

function cancel(id: string): Call {
  return { operation: "cancelBooking", params: { id } };
}

const DECIDED = { disruptionId: "dis_1", revision: 0, reason: null } as const;

/** An answer to the case that the operator's decision opens for a paid booking. */
async function answer(service: Service, operation: string, decided: FlightCommand): Promise<Call> {
  const { bookingId } = await paid(service);
  await service.schedule({ ...plan, flightId: OTHER, departsAt: DEPARTS_AT + DAY });
  await service.onFlight(decided);
  await service.runDueTasksUntil(service.systems.clock.now());
  return { operation, params: { id: caseIdOf(bookingId, 1) }, body: { revision: 1 } };
}

async function booked(service: Service): Promise<string> {
  return made(await service.book({ passengers: party(1), seats: ["10A"] })).id;
}

async function paid(service: Service) {
  const bookingId = await booked(service);
  return { bookingId, paymentId: made(await service.pay(bookingId)).id };
}

/** Credit for the next booking. */
async function bank(service: Service, credits = 1): Promise<void> {
  await adjustPoints(service, credits * 10_000);
  for (let credit = 0; credit < credits; credit += 1) made(await redeem(service, { reward: "booking_credit" }));
}

async function redemption(service: Service, body: object): Promise<Call> {
  await adjustPoints(service, 100_000);
  return { operation: "createRedemption", body };
}

async function changePassenger(service: Service, body: object): Promise<Call> {
  return { operation: "changePassenger", params: { id: made(await save(service)).id }, body };
}

async function endpoint(service: Service): Promise<string> {
  return made(await service.call<{ readonly id: string }>("createWebhookEndpoint", {}, ENDPOINT)).id;
}
