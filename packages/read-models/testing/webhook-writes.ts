import {
  type BookingCreated,
  type BookingEvent,
  type ExistingBooking,
  evolveBooking,
  PUBLIC_EVENTS,
  type PublicEventType,
} from "@travel-booking/domain";
import { positionSort } from "@travel-booking/engines/read-store";
import {
  ACCOUNTS,
  type AccountRow,
  ALL_PARTITION,
  BOOKINGS,
  type EndpointRegistration,
  EVENTS,
  type EventStub,
  eventSortKey,
  eventStubJson,
  FLIGHTS,
  feedOf,
  firstOf,
  ownedKey,
  publicEventId,
  type Segment,
  type StoredHealth,
  type StoredHold,
  segmentIndexes,
  segmentKey,
  storeSegment,
  WEBHOOKS,
} from "../src/index.ts";
import type { OpenDocument, OpenPut } from "../src/sealed-words/index.ts";

export type EndpointFixture = Omit<EndpointRegistration, "registeredAt">;

/** As if the endpoint had been registered at this position. */
export function putEndpoint(position: bigint, endpoint: EndpointFixture): OpenPut {
  const { accountId, endpointId, url, events } = endpoint;
  const { model, all, byAccount } = WEBHOOKS.endpoint;
  const sort = positionSort(position);
  return put(model, position, {
    key: ownedKey(accountId, endpointId),
    body: JSON.stringify({ id: endpointId, url, events }),
    state: endpoint,
    indexes: { [all]: { partition: ALL_PARTITION, sort }, [byAccount]: { partition: accountId, sort } },
  });
}

export function putAccount(position: bigint, { id, status }: Pick<AccountRow, "id" | "status">): OpenPut {
  const body = JSON.stringify({ id, name: id, status } satisfies AccountRow);
  return put(ACCOUNTS.account.model, position, { key: id, body, state: null, indexes: {} });
}

export interface EventFixture {
  readonly accountId: string;
  readonly bookingId: string;
  readonly type: PublicEventType;
  /** Of the key of its passenger's words; absent: they are stored as they are. */
  readonly keyId?: string;
  /** When it happened. */
  readonly at: number;
}

/**
 * Public events as the projection would write them, one after another, with their bookings. Each is a segment of its
 * booking that begins with a pending booking and payment, so any event may follow any other.
 */
export class EventFixtures {
  /** The newest segment of each booking. */
  readonly #bookings = new Map<string, Segment>();

  /** As if the event came from this position of the log. Its id is the position. */
  write(position: bigint, fixture: EventFixture): { readonly id: string; readonly writes: readonly OpenPut[] } {
    const { accountId, bookingId, type, at } = fixture;
    const before = this.#bookings.get(bookingId);
    const revision = before === undefined ? 0 : firstOf(before).revision + 1;
    const booking = type === "booking.created" ? null : pendingBooking(fixture);
    const metadata = { actor: { kind: "system", id: "test" }, requestId: null } as const;
    const event = { ...logEvent(fixture, position), id: String(position), revision, position, metadata };
    const segment: Segment = { bookingId, start: booking, events: [event] };
    this.#bookings.set(bookingId, segment);
    const id = publicEventId(event.id, type, bookingId);
    const writes = [
      putStub(position, { eventId: id, type, accountId, about: bookingId, at, revision }),
      put(BOOKINGS.booking.model, position, {
        key: bookingId,
        body: [accountId, { id: bookingId, createdAt: at }],
        state: storeSegment(segment),
        indexes: {},
        keyId: fixture.keyId,
      }),
    ];
    if (before !== undefined) writes.push(putSegment(position, before));
    return { id, writes };
  }
}

function bookingCreated({ accountId, bookingId, at }: EventFixture): BookingCreated {
  const price = { currency: "USD", fareAmount: 129_900, surcharges: [0], creditApplied: 0, totalAmount: 129_900 };
  const party = { passengers: [{ name: "Zoë 🚀", email: "zoe@example.com" }], seats: ["12A"], reference: null };
  const flight = { flightId: "KP442-20270301", cabin: "economy", departsAt: at } as const;
  return { type: "BookingCreated", at, data: { bookingId, accountId, ...flight, ...party, ...price, expiresAt: null } };
}

function pendingBooking(fixture: EventFixture): ExistingBooking {
  const method = { type: "wallet", wallet: { type: "paypal" } } as const;
  const payment = { paymentId: paymentOf(fixture.bookingId), amount: 129_900, currency: "USD", method, metadata: [] };
  const created = evolveBooking({ status: "none" }, { ...bookingCreated(fixture), at: 0 });
  return evolveBooking(created, { type: "PaymentStarted", at: 0, data: payment }) as ExistingBooking;
}

function paymentOf(bookingId: string): string {
  return `pay_${bookingId}`;
}

/**
 * An event of the log that makes exactly this public event.
 * @throws Error it would need more than a pending booking.
 */
function logEvent(fixture: EventFixture, position: bigint): BookingEvent {
  const { bookingId, type, at } = fixture;
  switch (type) {
    case "booking.created":
      return bookingCreated(fixture);
    case "booking.changed":
      return { type: "BookingChanged", at, data: { changeId: null, reference: `R-${position}` } };
    case "booking.confirmed":
      return { type: "BookingConfirmed", at, data: { bookingId } };
    case "booking.cancelled":
      return { type: "BookingCancelled", at, data: { bookingId, cause: "requested", reason: null } };
    case "payment.succeeded":
      return { type: "PaymentSucceeded", at, data: { paymentId: paymentOf(bookingId) } };
    case "payment.failed":
      return { type: "PaymentFailed", at, data: { paymentId: paymentOf(bookingId), failureCode: "card_declined" } };
    default:
      throw new Error(`no booking of the fixtures makes ${type}`);
  }
}

/** As if a seat hold of the account had expired, and been recorded so at this position of the log. */
export function expiredHold(position: bigint, { accountId, holdId, at }: ExpiredHold) {
  const id = `evt_${position}`;
  const hold = { flightId: "KP442-20270301", accountId, cabin: "economy", seats: ["12A"], expiresAt: at } as const;
  const state: StoredHold = { ...hold, status: "expired" };
  const writes = [
    putStub(position, { eventId: id, type: "hold.expired", accountId, about: holdId, at, revision: 1 }),
    put(FLIGHTS.hold.model, position, { key: holdId, body: null, state, indexes: {} }),
  ];
  return { id, writes };
}

export interface ExpiredHold extends Pick<EventFixture, "accountId" | "at"> {
  readonly holdId: string;
}

/** As if it had been recorded at this position of the log that the endpoint fails. */
export function failingEndpoint(position: bigint, { accountId, endpointId, at }: FailingEndpoint) {
  const id = `evt_${position}`;
  const state: StoredHealth = { status: "failing", reason: "the endpoint answered 500", since: at };
  const stub = { eventId: id, type: "endpoint.failing", accountId, about: endpointId, at, revision: 1 } as const;
  return { id, write: putStub(position, stub, state) };
}

export interface FailingEndpoint extends Pick<EventFixture, "accountId" | "at"> {
  readonly endpointId: string;
}

function putStub(position: bigint, stub: EventStub, state: StoredHealth | null = null): OpenPut {
  const { all, byAccount, byAccountAndType } = EVENTS.event;
  const { eventId, type, accountId } = stub;
  const { lane, usual } = PUBLIC_EVENTS[type];
  const sort = eventSortKey(position, 0);
  return put(feedOf(lane).model, position, {
    key: eventId,
    body: eventStubJson(stub),
    state,
    indexes: {
      [all]: { partition: ALL_PARTITION, sort },
      ...(usual && { [byAccount]: { partition: accountId, sort } }),
      [byAccountAndType]: { partition: ownedKey(accountId, type), sort },
    },
  });
}

function putSegment(position: bigint, segment: Segment): OpenPut {
  return put(BOOKINGS.segment.model, position, {
    key: segmentKey(segment.bookingId, firstOf(segment).revision),
    body: JSON.stringify(storeSegment(segment)),
    state: null,
    indexes: segmentIndexes(segment),
  });
}

function put(
  model: string,
  position: bigint,
  document: Pick<OpenDocument, "key" | "body" | "state" | "indexes" | "keyId">,
): OpenPut {
  return { kind: "put", model, document: { ...document, position, created: position, staleAt: null } };
}
