import type {
  BookingBody,
  PassengerProfileBody,
  PaymentBody,
  RedemptionBody,
  SeatHoldBody,
} from "@travel-booking/api-contract";
import { REWARDS } from "@travel-booking/domain";
import { MULTIPART, multipartOf } from "../../end-to-end/kit/upload.ts";
import type { OperatorClientResponse } from "../../support/operator-caller.ts";
import { type Acknowledged, comparable } from "./acknowledged.ts";
import type { PacedApi } from "./api.ts";
import type { Chance } from "./chance.ts";
import { Memory } from "./memory.ts";
import type { Sale } from "./sale.ts";
import { BOOK, type Traffic } from "./traffic.ts";

export interface CustomerOptions {
  readonly name: string;
  readonly api: PacedApi;
  readonly operator: (method: string, path: string, body: unknown) => Promise<OperatorClientResponse>;
  readonly sale: Sale;
  readonly traffic: Traffic;
  readonly chance: Chance;
  /** A passport. */
  readonly document: Uint8Array;
}

/** Somebody with an account of their own who does one thing after the other, and writes down what they were told. */
export class Customer {
  readonly #options: CustomerOptions;
  readonly #api: PacedApi;
  readonly #chance: Chance;
  readonly #memory: Memory;
  #made = 0;

  constructor(options: CustomerOptions) {
    this.#options = options;
    this.#api = options.api;
    this.#chance = options.chance;
    this.#memory = new Memory(options.chance);
  }

  get acknowledged(): Acknowledged {
    return this.#memory.acknowledged;
  }

  /** Goes on until aborted, and finishes what it is about. */
  async shop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#chance.weighted(this.#mix)();
      } catch (error) {
        this.#options.traffic.unexpected.push(`${this.#options.name}: ${(error as Error).message}`);
      }
    }
  }

  /** What there is to do, and how often. */
  readonly #mix: readonly (readonly [number, () => Promise<void>])[] = [
    [8, () => this.#hold()],
    [1, () => this.#releaseHold()],
    [20, () => this.#book()],
    [14, () => this.#pay({ type: "card", token: "tok_visa" })],
    [2, () => this.#pay({ type: "wallet", walletType: "paypal", token: "tok_mastercard" })],
    [2, () => this.#pay({ type: "card", token: "tok_declined_insufficient_funds" })],
    [1, () => this.#pay({ type: "card", token: "tok_timeout" })],
    [3, () => this.#pay({ type: "bank_transfer" })],
    [4, () => this.#transfer()],
    [3, () => this.#refund()],
    [4, () => this.#cancel()],
    [4, () => this.#changeSeats()],
    [4, () => this.#changeBooking()],
    [2, () => this.#redeem()],
    [2, () => this.#savePassenger()],
    [1, () => this.#changePassenger()],
    [0.3, () => this.#upload()],
    [10, () => this.#read()],
    [12, () => this.#browse()],
  ];

  async #hold(): Promise<void> {
    const hold = await this.#api.send<SeatHoldBody>({
      kind: "hold",
      method: "POST",
      path: `/v1/flights/${this.#chance.oneOf(this.#options.sale.flightIds)}/seat-holds`,
      body: { seats: this.#someSeats("economy", this.#chance.upTo(4)) },
      expected: 201,
      refusals: [409],
    });
    if (hold !== undefined) this.#memory.holds.push(hold);
  }

  async #releaseHold(): Promise<void> {
    const hold = this.#memory.holds.pop();
    if (hold === undefined) return this.#hold();
    const path = `/v1/flights/${hold.flightId}/seat-holds/${hold.id}`;
    await this.#api.send({ kind: "release", method: "DELETE", path, expected: 204, refusals: [409] });
  }

  async #book(): Promise<void> {
    const way = this.#chance.random();
    const hold = way < 0.4 ? this.#memory.holds.pop() : undefined;
    const party = hold?.seats.length ?? this.#chance.upTo(3);
    const cabin = hold?.cabin ?? (way > 0.97 ? "business" : "economy");
    const booking = await this.#api.send<BookingBody>({
      kind: BOOK,
      method: "POST",
      path: "/v1/bookings",
      body: {
        flightId: hold?.flightId ?? this.#chance.oneOf(this.#options.sale.flightIds),
        cabin,
        passengers: Array.from({ length: party }, (_, index) => this.#passenger(index)),
        ...(hold !== undefined && { holdId: hold.id }),
        ...(hold === undefined && way < 0.7 && { seats: this.#someSeats(cabin, party) }),
      },
      expected: 201,
      // A hold may have run out: then there is none.
      refusals: hold === undefined ? [409] : [404, 409],
    });
    this.#memory.note(booking);
  }

  async #pay(body: { readonly type: string; readonly walletType?: string; readonly token?: string }): Promise<void> {
    const booking = this.#memory.booking("pending");
    if (booking === undefined) return this.#book();
    const payment = await this.#api.send<PaymentBody>({
      kind: body.type === "bank_transfer" ? "begin transfer" : "pay",
      method: "POST",
      path: `/v1/bookings/${booking.id}/payments`,
      body,
      expected: 201,
      refusals: body.type === "bank_transfer" ? [409] : [],
    });
    if (payment === undefined) return;
    this.acknowledged.payments.set(payment.id, payment);
    await this.#lookAgain(booking.id);
  }

  /** The money of a transfer arrives. */
  async #transfer(): Promise<void> {
    const payment = this.#memory.payment(({ status, method }) => status === "pending" && method.bankTransfer !== null);
    if (payment === undefined) return this.#pay({ type: "bank_transfer" });
    const { amount, currency, method, bookingId } = payment;
    const entry = { reference: method.bankTransfer?.reference, amount, currency, entryId: payment.id };
    const report = (reference = entry.reference) =>
      this.#options.operator("POST", "/transfers", { ...entry, reference });
    if (this.#chance.random() < 0.3) await this.#api.operate("unmatched money", () => report("a journey"), 404);
    await this.#api.operate("transfer", report, 200);
    await this.#lookAgain(bookingId);
  }

  async #refund(): Promise<void> {
    const payment = this.#memory.payment(({ status, amount, amountRefunded }) => {
      return status === "succeeded" && amountRefunded < amount;
    });
    if (payment === undefined) return this.#pay({ type: "card", token: "tok_visa" });
    const left = payment.amount - payment.amountRefunded;
    await this.#api.send({
      kind: "refund",
      method: "POST",
      path: `/v1/payments/${payment.id}/refunds`,
      body: {
        reason: "requested_by_customer",
        ...(this.#chance.random() < 0.8 && { amount: this.#chance.upTo(left) }),
      },
      expected: 201,
    });
    await this.#lookAgain(payment.bookingId);
  }

  async #cancel(): Promise<void> {
    const booking = this.#memory.booking("pending", "confirmed");
    if (booking === undefined) return this.#book();
    const path = `/v1/bookings/${booking.id}/cancel`;
    this.#memory.note(await this.#api.send({ kind: "cancel", method: "POST", path, body: {}, expected: 200 }));
    await this.#lookAgain(booking.id);
  }

  async #changeSeats(): Promise<void> {
    const booking = this.#memory.booking("pending", "confirmed");
    if (booking === undefined) return this.#book();
    const seats = this.#someSeats(booking.cabin, booking.passengers.length);
    await this.#patch("change seats", booking, { seats }, [409]);
  }

  async #changeBooking(): Promise<void> {
    const booking = this.#memory.booking("pending", "confirmed");
    if (booking === undefined) return this.#book();
    const reference = this.#chance.upTo(5) === 1 ? null : `reference ${this.#made++}`;
    const passengers = booking.passengers.map((_, index) => this.#passenger(index));
    await this.#patch("change", booking, this.#chance.upTo(2) === 1 ? { reference } : { passengers });
  }

  async #redeem(): Promise<void> {
    const booking = this.#memory.booking("pending", "confirmed");
    if (booking === undefined) return this.#book();
    const redemption = await this.#api.send<RedemptionBody>({
      kind: "redeem",
      method: "POST",
      path: "/v1/loyalty/redemptions",
      body: { reward: this.#chance.oneOf(REWARDS), bookingId: booking.id },
      expected: 201,
      refusals: [409],
    });
    if (redemption === undefined) return;
    this.acknowledged.redemptions.set(redemption.id, redemption);
    await this.#lookAgain(booking.id);
  }

  async #savePassenger(): Promise<void> {
    const profile = await this.#api.send<PassengerProfileBody>({
      kind: "save passenger",
      method: "POST",
      path: "/v1/passengers",
      body: {
        firstName: "Ada",
        lastName: "Lovelace",
        email: `${this.#options.name}.${this.#made++}@example.com`,
        dateOfBirth: "1985-12-10",
        nationality: "GB",
      },
      expected: 201,
    });
    if (profile !== undefined) this.acknowledged.passengers.set(profile.id, profile);
  }

  async #changePassenger(): Promise<void> {
    const known = [...this.acknowledged.passengers.keys()].at(-1);
    if (known === undefined) return this.#savePassenger();
    const profile = await this.#api.send<PassengerProfileBody>({
      kind: "change passenger",
      method: "PATCH",
      path: `/v1/passengers/${known}`,
      body: { lastName: `King ${this.#made++}` },
      expected: 200,
    });
    if (profile !== undefined) this.acknowledged.passengers.set(profile.id, profile);
  }

  async #upload(): Promise<void> {
    const booking = this.#memory.booking("pending", "confirmed", "cancelled");
    if (booking === undefined) return this.#book();
    const body = multipartOf({ fileName: "passport.pdf", content: this.#options.document });
    const path = `/v1/bookings/${booking.id}/documents`;
    const headers = { "content-type": MULTIPART };
    this.#memory.note(await this.#api.send({ kind: "upload", method: "POST", path, body, headers, expected: 201 }));
  }

  /** Of their own: it must be what they were told. */
  async #read(): Promise<void> {
    const booking = this.#memory.booking("pending", "confirmed", "cancelled");
    if (booking === undefined) return this.#book();
    const read = await this.#get<BookingBody>("read booking", `/v1/bookings/${booking.id}`);
    if (comparable(read) !== comparable(booking)) {
      throw new Error(`${booking.id} was read as ${comparable(read)} instead of ${comparable(booking)}`);
    }
  }

  async #browse(): Promise<void> {
    const flight = this.#chance.oneOf(this.#options.sale.flightIds);
    const booking = this.#memory.booking("pending", "confirmed", "cancelled")?.id;
    const paths = [
      `/v1/flights/${flight}`,
      `/v1/flights/${flight}/seat-map`,
      "/v1/flights?limit=20",
      "/v1/bookings?limit=20",
      "/v1/events?limit=20",
      "/v1/passengers?limit=20",
      "/v1/loyalty/account",
      ...(booking === undefined ? [] : [`/v1/bookings/${booking}/history`, `/v1/bookings/${booking}/documents`]),
    ];
    await this.#get("browse", this.#chance.oneOf(paths) ?? "");
  }

  /** What has been changed by something else than a change of the booking. */
  async #lookAgain(bookingId: string): Promise<void> {
    this.#memory.note(await this.#get<BookingBody>("read booking", `/v1/bookings/${bookingId}`));
    for (const payment of this.#memory.paymentsOf(bookingId)) {
      this.acknowledged.payments.set(payment.id, await this.#get("read payment", `/v1/payments/${payment.id}`));
    }
  }

  async #patch(kind: string, { id }: BookingBody, body: object, refusals: readonly number[] = []): Promise<void> {
    const request = { kind, method: "PATCH", path: `/v1/bookings/${id}`, body, expected: 200, refusals } as const;
    this.#memory.note(await this.#api.send(request));
  }

  async #get<Body extends object>(kind: string, path: string): Promise<Body> {
    return (await this.#api.send<Body>({ kind, method: "GET", path, expected: 200 })) as Body;
  }

  #passenger(index: number): { name: string; email: string } {
    return { name: index === 0 ? "Ada Lovelace" : `Traveller ${this.#made++}`, email: `p${index}@example.com` };
  }

  #someSeats(cabin: string, count: number): readonly string[] {
    const seats = Object.keys(this.#options.sale.sold.cabins[cabin]?.surcharges ?? {});
    const from = Math.floor(this.#chance.random() * (seats.length - count));
    return seats.slice(from, from + count);
  }
}
