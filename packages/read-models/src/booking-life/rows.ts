import type { BookingEvent, ExistingBooking } from "@travel-booking/domain";
import { MARK } from "../sealed-words/word-seal.ts";

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
 * An event as it is stored: its shape; id, time, revision and position, as what differs from the event before; actor and
 * request, or 0 for those of the event before; the values of its data. JSON.
 */
export type StoredRow = readonly unknown[];

/**
 * A name and its fields. An object is stored as the number of its shape and its values. One of a shape that is not here
 * has the shape itself in place of the number, so this only saves bytes. A change makes stored rows unreadable: raise the
 * projection's version.
 */
const SHAPES: readonly string[] = [
  "list",
  "object name email",
  "object type card saveCard",
  "object brand last4 expMonth expYear",
  "object accountId from to",
  "object accountId creditId amount",
  "object points per",
  "BookingCreated bookingId accountId flightId cabin passengers reference creditApplied pointsRate seats fareAmount " +
    "surcharges currency departsAt totalAmount expiresAt",
  "BookingConfirmed bookingId",
  "BookingCancelled bookingId cause reason",
  "PaymentStarted paymentId amount currency method metadata",
  "PaymentSucceeded paymentId",
  "PaymentSucceeded paymentId pending",
  "PaymentFailed paymentId failureCode",
  "TransferReceived entryId paymentId reference amount currency applied",
  "ReturnDue returnId entryId paymentId amount currency cause",
  "ReturnSent returnId",
  "RefundStarted refundId paymentId amount currency reason settlesAt",
  "RefundStarted refundId paymentId amount currency reason settlesAt pending",
  "RefundSucceeded refundId paymentId",
  "DocumentUploaded documentId uploadId fileName contentType sizeBytes sha256",
  "DocumentVerified documentId kind passengers",
  "BookingFlown accountId amount pending",
  "DocumentVerified documentId kind passengers zoneName",
  "DocumentVerified documentId kind passengers zoneName read",
  "object name expiresOn number",
];
const NUMBERS: ReadonlyMap<string, number> = new Map(SHAPES.map((shape, number) => [shape, number]));
const PARTS: readonly (readonly string[])[] = SHAPES.map((shape) => shape.split(" "));
const LIST = 0;

const ACTOR_KINDS = ["credential", "operator", "system"] as const;

/** Begins a text of which the beginning is known; its number follows. */
const KNOWN = "~";
/** Ids of these kinds begin with the digits of their booking. */
const ID_PREFIXES = ["bkg_", "pay_", "rfd_", "ret_", "doc_"];

/** Encodes, or decodes, the events of a segment one after another. Lossless for JSON. */
export class RowContext {
  /** Beginnings of texts; the account and those of sealed words are added when they are known. */
  readonly #known: string[];
  /** The length of all texts so far. */
  #characters = 0;
  #id: string;
  #at = 0;
  #revision = -1;
  #position = 0n;
  #actor: string | undefined;
  #requestId: string | null | undefined;

  /** @param start the booking before the segment; null for the one with the creation. */
  constructor(bookingId: string, start: Pick<ExistingBooking, "accountId"> | null) {
    const digits = bookingId.slice(bookingId.indexOf("_") + 1);
    this.#id = uuidOf(digits);
    this.#known = [KNOWN, ...ID_PREFIXES.map((prefix) => prefix + digits)];
    if (start !== null) this.#known.push(start.accountId);
  }

  /** About as many as the data of all rows so far has. */
  get characters(): number {
    return this.#characters;
  }

  encode(event: RecordedBookingEvent): StoredRow {
    const { id, type, at, revision, position, metadata, data } = event;
    const place = [withoutPrefix(id, this.#id), at - this.#at, revision - this.#revision, position - this.#position];
    const actor = ACTOR_KINDS.indexOf(metadata.actor.kind) + metadata.actor.id;
    const requestId = metadata.requestId === this.#requestId ? 0 : metadata.requestId;
    const row = this.#packObject(type, data);
    row.splice(1, 0, place.join(" "), actor === this.#actor ? 0 : actor, requestId);
    this.#moveTo(event, actor);
    return row;
  }

  decode([shape, place, sameActor, sameRequest, ...values]: StoredRow): RecordedBookingEvent {
    const [id = "", at, revision, position = ""] = String(place).split(" ");
    const actor = sameActor === 0 ? (this.#actor ?? "") : String(sameActor);
    const [type, data] = this.#unpackObject(shape, values);
    const event = {
      id: this.#id.slice(0, Number.parseInt(id.charAt(0), RADIX)) + id.slice(1),
      type,
      at: this.#at + Number(at),
      revision: this.#revision + Number(revision),
      position: this.#position + BigInt(position),
      metadata: {
        actor: { kind: ACTOR_KINDS[Number(actor[0])], id: actor.slice(1) },
        requestId: sameRequest === 0 ? this.#requestId : sameRequest,
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
    if (event.type === "BookingCreated") this.#known.push(event.data.accountId);
  }

  #packObject(name: string, object: object): unknown[] {
    const shape = [name, ...Object.keys(object)].join(" ");
    const packed: unknown[] = [NUMBERS.get(shape) ?? shape];
    for (const value of Object.values(object)) packed.push(this.#pack(value));
    return packed;
  }

  #pack(value: unknown): unknown {
    if (typeof value === "string") return this.#shorten(value);
    if (Array.isArray(value)) return [LIST, ...value.map((each) => this.#pack(each))];
    return typeof value === "object" && value !== null ? this.#packObject("object", value) : value;
  }

  #unpackObject(shape: unknown, values: readonly unknown[]): readonly [name: string, object: object] {
    const [name = "", ...fields] = typeof shape === "number" ? (PARTS[shape] ?? []) : String(shape).split(" ");
    const object: Record<string, unknown> = {};
    for (const [index, field] of fields.entries()) object[field] = this.#unpack(values[index]);
    return [name, object];
  }

  #unpack(value: unknown): unknown {
    if (typeof value === "string") return this.#lengthen(value);
    if (!Array.isArray(value)) return value;
    const [shape, ...values] = value;
    return shape === LIST ? values.map((each) => this.#unpack(each)) : this.#unpackObject(shape, values)[1];
  }

  #shorten(text: string): string {
    this.#characters += text.length;
    for (const [number, beginning] of this.#known.entries()) {
      if (text.startsWith(beginning)) return KNOWN + number.toString(RADIX) + text.slice(beginning.length);
    }
    this.#learn(text);
    return text;
  }

  #lengthen(stored: string): string {
    if (!stored.startsWith(KNOWN)) this.#learn(stored);
    const text = stored.startsWith(KNOWN)
      ? `${this.#known[Number.parseInt(stored.charAt(1), RADIX)]}${stored.slice(2)}`
      : stored;
    this.#characters += text.length;
    return text;
  }

  /** Words that were sealed together differ in their last part only. */
  #learn(text: string): void {
    if (text.startsWith(MARK) && this.#known.length < RADIX) this.#known.push(text.slice(0, text.lastIndexOf(".") + 1));
  }
}

/** The ids of a booking's first events begin with its digits, as a UUID. */
function uuidOf(digits: string): string {
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20]].map(([from, to]) => digits.slice(from, to)).join("-");
}

/** One digit counts up to 35. */
const RADIX = 36;

/** How many characters two texts begin with in common, at most 35, as one digit; then the rest of the first. */
function withoutPrefix(text: string, other: string): string {
  let common = 0;
  while (common < RADIX - 1 && common < text.length && text[common] === other[common]) common += 1;
  return common.toString(RADIX) + text.slice(common);
}
