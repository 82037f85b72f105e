import type { BookingEvent } from "@travel-booking/domain";
import {
  ACCOUNT,
  BOOKING,
  CREDIT_GIVEN_UP,
  type FieldCodec,
  METHOD,
  PASSENGERS,
  PENDING_POINTS,
  PLAIN,
  POINTS_RATE,
  within,
} from "./field-codecs.ts";

/** An event of a booking with what the log says about it. */
export type RecordedBookingEvent = BookingEvent & {
  readonly id: string;
  /** In the booking's stream. */
  readonly revision: number;
  /** In the log. */
  readonly position: bigint;
  readonly metadata: {
    readonly actor: { readonly kind: "credential" | "operator" | "system"; readonly id: string };
    readonly requestId: string | null;
  };
};

/**
 * An event as it is stored: type, id, time, revision, position, actor, request, then the fields of its data. All but the
 * data are written as what differs from the event before (`RowContext`). JSON.
 */
export type StoredRow = readonly unknown[];

type DataOf<Type extends BookingEvent["type"]> = Extract<BookingEvent, { readonly type: Type }>["data"];

const BOOKING_ONLY = { bookingId: BOOKING };
const PAYMENT = within("pay_");
const REFUND = within("rfd_");
const RETURN = within("ret_");
const DOCUMENT = within("doc_");

/**
 * The fields of each type of event, in the order in which they are stored. The types are numbered in this order. A change
 * of either makes stored rows unreadable, but for an optional field behind the others: raise the projection's version.
 */
const FIELDS: {
  readonly [Type in BookingEvent["type"]]: { readonly [Field in keyof Required<DataOf<Type>>]: FieldCodec };
} = {
  BookingCreated: {
    bookingId: BOOKING,
    accountId: ACCOUNT,
    flightId: PLAIN,
    cabin: PLAIN,
    departsAt: PLAIN,
    passengers: PASSENGERS,
    seats: PLAIN,
    fareAmount: PLAIN,
    surcharges: PLAIN,
    creditApplied: PLAIN,
    totalAmount: PLAIN,
    currency: PLAIN,
    reference: PLAIN,
    expiresAt: PLAIN,
    pointsRate: POINTS_RATE,
  },
  BookingAbandoned: BOOKING_ONLY,
  BookingChanged: {
    changeId: PLAIN,
    reference: PLAIN,
    passengers: PASSENGERS,
    seats: PLAIN,
    surcharges: PLAIN,
    totalAmount: PLAIN,
    creditGivenUp: CREDIT_GIVEN_UP,
  },
  SeatChangeClosed: { changeId: PLAIN },
  BookingConfirmed: BOOKING_ONLY,
  BookingCancelled: {
    bookingId: BOOKING,
    cause: PLAIN,
    reason: PLAIN,
    creditGivenUp: CREDIT_GIVEN_UP,
    keepsPoints: PLAIN,
  },
  PaymentStarted: { paymentId: PAYMENT, amount: PLAIN, currency: PLAIN, method: METHOD, metadata: PLAIN },
  PaymentSucceeded: { paymentId: PAYMENT, pending: PENDING_POINTS },
  PaymentFailed: { paymentId: PAYMENT, failureCode: PLAIN },
  TransferReceived: {
    entryId: PLAIN,
    paymentId: PAYMENT,
    reference: PLAIN,
    amount: PLAIN,
    currency: PLAIN,
    applied: PLAIN,
  },
  ReturnDue: {
    returnId: RETURN,
    entryId: PLAIN,
    paymentId: PAYMENT,
    amount: PLAIN,
    currency: PLAIN,
    cause: PLAIN,
  },
  ReturnSent: { returnId: RETURN },
  RefundStarted: {
    refundId: REFUND,
    paymentId: PAYMENT,
    amount: PLAIN,
    currency: PLAIN,
    reason: PLAIN,
    settlesAt: PLAIN,
    pending: PENDING_POINTS,
    departed: PLAIN,
  },
  RefundSucceeded: { refundId: REFUND, paymentId: PAYMENT },
  DocumentUploaded: {
    documentId: DOCUMENT,
    uploadId: PLAIN,
    fileName: PLAIN,
    contentType: PLAIN,
    sizeBytes: PLAIN,
    sha256: PLAIN,
  },
  DocumentVerified: { documentId: DOCUMENT, kind: PLAIN, passengers: PLAIN },
  DocumentRejected: { documentId: DOCUMENT, kind: PLAIN, reason: PLAIN },
  DocumentLeftToOperator: { documentId: DOCUMENT, kind: PLAIN },
  UploadClosed: { uploadId: PLAIN },
  CreditApplied: { redemptionId: PLAIN, amount: PLAIN, totalAmount: PLAIN },
  CabinUpgraded: {
    redemptionId: PLAIN,
    cabin: PLAIN,
    surcharges: PLAIN,
    totalAmount: PLAIN,
    creditGivenUp: CREDIT_GIVEN_UP,
  },
  RewardAdded: { redemptionId: PLAIN, reward: PLAIN },
  RedemptionClosed: { redemptionId: PLAIN },
  BookingFlown: { accountId: ACCOUNT, amount: PLAIN, pending: PLAIN },
};

interface TypeOfEvent {
  readonly type: BookingEvent["type"];
  readonly code: number;
  readonly fields: readonly (readonly [name: string, codec: FieldCodec])[];
}

const TYPES: readonly TypeOfEvent[] = Object.entries(FIELDS).map(([type, fields], code) => ({
  type: type as BookingEvent["type"],
  code,
  fields: Object.entries(fields),
}));
const BY_NAME: ReadonlyMap<string, TypeOfEvent> = new Map(TYPES.map((type) => [type.type, type]));

/** Stands for a field that the data does not have. No field of an event is `false`. */
const ABSENT = false;
/** The columns before the data. */
const DATA = 7;
const ACTOR_KINDS = ["credential", "operator", "system"] as const;

/** Encodes, or decodes, the events of a segment one after another: each as what differs from the one before. */
export class RowContext {
  readonly bookingId: string;
  accountId: string;
  #id: string;
  #at = 0;
  #revision = -1;
  #position = 0n;
  #actor: string | undefined;
  #requestId: string | null | undefined;

  /** @param accountId "" for the segment with the creation. */
  constructor(bookingId: string, accountId: string) {
    this.bookingId = bookingId;
    this.accountId = accountId;
    this.#id = uuidOf(bookingId);
  }

  /** @throws Error a type or a value that can't be stored. */
  encode(event: RecordedBookingEvent): StoredRow {
    const { id, at, revision, position, metadata } = event;
    const type = BY_NAME.get(event.type);
    if (type === undefined) throw new Error(`an event of the unknown type ${event.type}`);
    const actor = ACTOR_KINDS.indexOf(metadata.actor.kind) + metadata.actor.id;
    const row: unknown[] = [
      type.code,
      withoutPrefix(id, this.#id),
      at - this.#at,
      revision - this.#revision - 1,
      numberOf(position - this.#position),
      actor === this.#actor ? 0 : actor,
      metadata.requestId === this.#requestId ? 0 : metadata.requestId,
    ];
    const data = event.data as unknown as Readonly<Record<string, unknown>>;
    for (const [name, codec] of type.fields) {
      const value = data[name];
      if (value === false) throw new Error(`${event.type}: ${name} is false, which cannot be stored`);
      row.push(value === undefined ? ABSENT : codec.encode(value, this));
    }
    while (row.at(-1) === ABSENT) row.pop();
    this.#moveTo(event, actor);
    return row;
  }

  decode(row: StoredRow): RecordedBookingEvent {
    const [code, id, at, revision, position, sameActor, sameRequest] = row as readonly [
      number,
      string,
      number,
      number,
      number | string,
      string | 0,
      string | null | 0,
    ];
    const type = TYPES[code];
    if (type === undefined) throw new Error(`a stored event of the unknown type ${code}`);
    const actor = sameActor === 0 ? (this.#actor ?? "") : sameActor;
    const data: Record<string, unknown> = {};
    for (const [index, [name, codec]] of type.fields.entries()) {
      const stored = DATA + index < row.length ? row[DATA + index] : ABSENT;
      if (stored !== ABSENT) data[name] = codec.decode(stored, this);
    }
    const event = {
      id: withPrefix(id, this.#id),
      type: type.type,
      at: this.#at + at,
      revision: this.#revision + 1 + revision,
      position: this.#position + BigInt(position),
      metadata: {
        actor: { kind: ACTOR_KINDS[Number(actor[0])] ?? "system", id: actor.slice(1) },
        requestId: sameRequest === 0 ? (this.#requestId ?? null) : sameRequest,
      },
      data,
    } as unknown as RecordedBookingEvent;
    this.#moveTo(event, actor);
    return event;
  }

  #moveTo(event: RecordedBookingEvent, actor: string): void {
    this.#id = event.id;
    this.#at = event.at;
    this.#revision = event.revision;
    this.#position = event.position;
    this.#actor = actor;
    this.#requestId = event.metadata.requestId;
    if (event.type === "BookingCreated") this.accountId = event.data.accountId;
  }
}

/** The digits of the id as a UUID: the ids of its first events begin with them. */
function uuidOf(bookingId: string): string {
  const digits = bookingId.slice(bookingId.indexOf("_") + 1);
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20]].map(([from, to]) => digits.slice(from, to)).join("-");
}

const RADIX = 36;

/** How many characters two texts begin with in common, at most 35, as one digit; then the rest of the first. */
function withoutPrefix(text: string, other: string): string {
  let common = 0;
  while (common < RADIX - 1 && common < text.length && text[common] === other[common]) common += 1;
  return common.toString(RADIX) + text.slice(common);
}

function withPrefix(stored: string, other: string): string {
  return other.slice(0, Number.parseInt(stored.charAt(0), RADIX)) + stored.slice(1);
}

/** A number that JSON keeps exactly. */
function numberOf(value: bigint): number | string {
  return value > Number.MAX_SAFE_INTEGER ? String(value) : Number(value);
}
