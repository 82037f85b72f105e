import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type EventBody, eventSchema } from "@travel-booking/api-contract";
import {
  type BookingEvent,
  type FlightCancelled,
  HOUR,
  MINUTE,
  PUBLIC_EVENT_TYPES,
  SECOND,
} from "@travel-booking/domain";
import { created, idsOf, paid, refundStarted, T0 } from "./kit/bookings.ts";
import { feed, recordBooking } from "./kit/events.ts";
import { held, schedule } from "./kit/flights.ts";
import { type ApiReader, type ReadService, readAllPages, startReadService } from "./kit/read-service.ts";

let service: ReadService;
let ada: ApiReader;
let eve: ApiReader;
const { booking: BOOKING, card, refund } = idsOf(1);
const CASE = `dcs_${BOOKING.slice(4)}000000000001`;
const DOCUMENT = `doc_${BOOKING.slice(4)}00000000000d`;

const at = (seconds: number) => T0 + seconds * SECOND;
const rejected: BookingEvent = {
  type: "DocumentRejected",
  at: at(6),
  data: { documentId: DOCUMENT, kind: "passport", reason: "the document has expired" },
};

beforeAll(async () => {
  service = await startReadService(T0 + HOUR);
  ada = await service.openAccount("acc_1");
  eve = await service.openAccount("acc_2");
  await schedule(service, "F", "2027-03-01T10:00:00Z");
  await service.record("flight-F", held(T0, "hld_1", ["10A"], T0 + 15 * MINUTE));
  await service.record(`booking-${BOOKING}`, created(idsOf(1), at(1)), ...paid(idsOf(1), at(2)));
  await recordBooking(service, 2, at(3), "acc_2");
  await service.record(`booking-${BOOKING}`, refundStarted(idsOf(1), at(4), at(5)), {
    type: "RefundFailed",
    at: at(5),
    data: { refundId: refund, paymentId: card, attempt: 1, reason: "expired_or_canceled_card" },
  });
  const file = {
    fileName: "passport.pdf",
    contentType: "application/pdf",
    sizeBytes: 7,
    hash: "f".repeat(64),
  } as const;
  await service.record(
    `booking-${BOOKING}`,
    { type: "DocumentUploaded", at: at(6), data: { documentId: DOCUMENT, ...file } },
    rejected,
  );
  await recordBooking(service, 3, at(7));
  await service.record("flight-F", { type: "SeatHoldExpired", at: at(8), data: { holdId: "hld_1" } });
  await schedule(service, "G", "2027-03-01T10:00:00Z");
  const decision = { disruptionId: "dis_1", revision: 1, policy: "refund", reason: "engine" } as const;
  const cancelled: FlightCancelled["data"] = { ...decision, bookings: 1, accounts: ["acc_1", "acc_2"] };
  await service.record("flight-G", { type: "FlightCancelled", at: at(9), data: cancelled });
  const before = { flightId: "G", departsAt: at(99), durationDays: 480, cabin: "economy", seats: [] } as const;
  const told = { caseId: CASE, disruptionId: "dis_1", kind: "cancelled", reason: "engine", flightRevision: 1 } as const;
  await service.record(
    `booking-${BOOKING}`,
    { type: "BookingDisrupted", at: at(9), data: { ...told, significant: true, before, after: null } },
    { type: "CaseResolved", at: at(9), data: { caseId: CASE, outcome: "refunded", refundAmount: 500 } },
  );
  const ofEndpoint = { accountId: "acc_1", endpointId: "whe_1" };
  await service.record(
    "webhookEndpoints-acc_1",
    { type: "WebhookEndpointRegistered", at: at(9), data: { ...ofEndpoint, url: "https://example.com", events: [] } },
    {
      type: "WebhookEndpointFailing",
      at: at(9),
      data: { ...ofEndpoint, status: "failing", reason: "it answered 500", since: at(7) },
    },
    {
      type: "WebhookEndpointRecovered",
      at: at(9),
      data: { ...ofEndpoint, status: "active", reason: null, since: at(9) },
    },
  );
});
afterAll(() => service.stop());

const ORDER = [
  "booking.created",
  "payment.succeeded",
  "booking.confirmed",
  "refund.failed",
  "booking.changed",
  "document.rejected",
  "booking.created",
  "hold.expired",
  "flight.changed",
  "disruption.opened",
  "disruption.resolved",
  "endpoint.failing",
  "endpoint.recovered",
];
const OF_BOOKING = [...ORDER.slice(0, 6), ...ORDER.slice(9, 11)];
const EVERY = `type=${PUBLIC_EVENT_TYPES.join()}`;
const typesOf = (events: readonly EventBody[]) => events.map(({ type }) => type);

async function every(parameters: string, read = ada): Promise<readonly EventBody[]> {
  return (await readAllPages(read, `/v1/events?${parameters}`)).flat() as EventBody[];
}

test("types beyond the usual ones are listed where they are named, and only there", async () => {
  expect(typesOf(await every("order=asc"))).toStrictEqual([
    "payment.succeeded",
    "booking.confirmed",
    "booking.changed",
  ]);
  expect(typesOf(await every("order=asc&type=refund.failed&type=hold.expired,booking.confirmed"))).toStrictEqual([
    "booking.confirmed",
    "refund.failed",
    "hold.expired",
  ]);
  expect(typesOf(await every("type=booking.created", eve))).toStrictEqual(["booking.created"]);
  expect(await every("type=hold.expired,refund.failed", eve)).toStrictEqual([]);
});

test.each([1, 2, 3, 100])("lists of several read models come in one order, in pages of %d", async (limit) => {
  expect(typesOf(await every(`${EVERY}&limit=${limit}&order=asc`))).toStrictEqual(ORDER);
  expect(typesOf(await every(`${EVERY}&limit=${limit}`))).toStrictEqual(ORDER.toReversed());
});

test("each goes on after each, and is fetched as it is listed, by its account alone", async () => {
  const events = await every(`${EVERY}&order=asc`);
  for (const [index, event] of events.entries()) {
    expect(eventSchema.safeParse(event).success).toBe(true);
    expect(typesOf(await every(`${EVERY}&after=${event.id}`))).toStrictEqual(ORDER.slice(index + 1));
    expect((await ada(`/v1/events/${event.id}`)).body).toStrictEqual(event);
    expect((await eve(`/v1/events/${event.id}`)).status).toBe(404);
    expect((await eve(`/v1/events?after=${event.id}`)).status).toBe(400);
  }
});

test("filters hold for each of them; an expired hold is about no booking", async () => {
  const since = (seconds: number) => new Date(at(seconds)).toISOString();
  expect(typesOf(await every(`${EVERY}&order=asc&createdAfter=${since(6)}`))).toStrictEqual(ORDER.slice(6));
  expect(typesOf(await every(`${EVERY}&order=asc&createdBefore=${since(2)}`))).toStrictEqual(["booking.created"]);
  const ofBooking = await every(`${EVERY}&order=asc&bookingId=${BOOKING}`);
  expect(typesOf(ofBooking)).toStrictEqual(OF_BOOKING);
  const listed = await every(`${EVERY}&order=asc`);
  expect(ofBooking).toStrictEqual([...listed.slice(0, 6), ...listed.slice(9, 11)]);
});

test("the objects are the documented resources, as they were", async () => {
  const [made, refunded, document, , expired, failing] = (
    await every("order=asc&type=booking.created,refund.failed,document.rejected,hold.expired,endpoint.failing")
  ).map(({ data }) => data.object);
  expect(made).toMatchObject({ id: BOOKING, status: "pending" });
  expect(refunded).toStrictEqual({
    id: refund,
    paymentId: card,
    amount: 400,
    currency: "USD",
    reason: "duplicate",
    status: "pending",
    createdAt: new Date(at(4)).toISOString(),
  });
  expect(document).toStrictEqual({
    id: DOCUMENT,
    bookingId: BOOKING,
    kind: "passport",
    fileName: "passport.pdf",
    contentType: "application/pdf",
    sizeBytes: 7,
    status: "rejected",
    rejectionReason: "the document has expired",
    uploadedAt: new Date(at(6)).toISOString(),
  });
  expect(expired).toStrictEqual((await ada("/v1/flights/F/seat-holds/hld_1")).body);
  const since = new Date(at(7)).toISOString();
  expect(failing).toStrictEqual({ endpointId: "whe_1", status: "failing", reason: "it answered 500", since });
});

test("a flight that has changed is told to each account on it, each with an id of its own", async () => {
  const [own] = await every("type=flight.changed");
  const [others] = await every("type=flight.changed", eve);
  expect(own?.data.object).toStrictEqual((await ada("/v1/flights/G/status")).body);
  expect(others?.data).toStrictEqual(own?.data);
  expect(others?.id).not.toBe(own?.id);
  expect((await eve(`/v1/events/${own?.id}`)).status).toBe(404);
});

test("a disruption is told open, and as it is resolved", async () => {
  const resolved = (await ada(`/v1/disruptions/${CASE}`)).body as object;
  const open = { status: "open", outcome: null, refundAmount: 0, resolvedAt: null };
  const told = await every("type=disruption.opened,disruption.resolved&order=asc");
  expect(told.map(({ data }) => data.object)).toStrictEqual([{ ...resolved, ...open }, resolved]);
});

test("events of holds are shown once the read model of flights shows them, and hold up no others", async () => {
  service.holdBack("flights");
  await service.record("flight-F", held(at(9), "hld_2", ["10B"], at(10)), {
    type: "SeatHoldExpired",
    at: at(10),
    data: { holdId: "hld_2" },
  });
  await recordBooking(service, 4, at(11));
  expect((await feed(ada, "?type=hold.expired")).data.length).toBe(1);
  expect((await feed(ada, "?type=booking.created")).data.length).toBe(3);
  expect(typesOf((await feed(ada, "?type=booking.created,hold.expired&limit=1")).data)).toStrictEqual(["hold.expired"]);
  service.letGo();
  expect(typesOf((await feed(ada, "?type=booking.created,hold.expired&limit=2")).data)).toStrictEqual([
    "booking.created",
    "hold.expired",
  ]);
});

test("a request that waits for them has them as well", async () => {
  const [newest] = (await feed(ada, "?type=booking.created&limit=1")).data;
  const waiting = feed(ada, `?type=booking.created,hold.expired&after=${newest?.id}&wait=30`);
  await recordBooking(service, 5, at(12));
  expect(typesOf((await waiting).data)).toStrictEqual(["booking.created"]);
});
