import type { BookingCreated, BookingEvent, PaymentStarted } from "@travel-booking/domain";
import { invariant } from "./invariant.ts";
import type { Sold, SoldCabins } from "./sold.ts";

const HOUR = 3_600_000;

interface AuditedRefund {
  readonly amount: number;
  readonly reason: string;
  readonly at: number;
  settled: boolean;
}

export interface AuditedPayment {
  readonly amount: number;
  readonly currency: string;
  readonly method: PaymentStarted["data"]["method"];
  outcome: "succeeded" | "failed" | null;
  /** An entry that had paid it was reversed, so that it fails although it had succeeded. */
  reversed?: boolean;
  readonly refunds: Map<string, AuditedRefund>;
}

interface AuditedEntry {
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly applied: number;
  returned: number;
  /** A return of it was sent. */
  sent?: boolean;
}

/** Re-does the books of one booking from its events alone. Amounts in cents. */
export class BookingAudit {
  status: "none" | "abandoned" | "pending" | "confirmed" | "cancelled" = "none";
  facts: BookingCreated["data"] | undefined;
  seats: readonly string[] = [];
  total = 0;
  cabin = "";
  /** By its moves; the present one last. */
  readonly flightsEver: string[] = [];
  /** The move by which it got its places. */
  placedBy: string | undefined;
  /** Cents of credit that lower its price. */
  credit = 0;
  /** What redemptions gave it, by their ids. */
  readonly rewards = new Map<string, string>();
  cancelledAt = 0;
  expired = false;
  /** Its cases by id, and what went back because of each; undefined while it is open. */
  readonly cases = new Map<string, number | undefined>();
  readonly outcomes = new Map<string, string | null>();
  /** Cents that its price has fallen by since it was paid. */
  #fallen = 0;
  cancelledByFlight = false;
  readonly changesTaken = new Set<string>();
  readonly seatsEver: string[] = [];
  readonly references: (string | null)[] = [];
  readonly payments = new Map<string, AuditedPayment>();
  readonly entries = new Map<string, AuditedEntry>();
  readonly returns = new Map<string, AuditedEntry>();
  /** Of the flight when it was made, or as it has followed it. */
  ship: SoldCabins;
  /** Of the ship before. */
  #former: SoldCabins;
  /** The surcharges of its seats; from payment on they stay, but for what is lost. */
  #extras: readonly number[] = [];
  #fare = 0;
  /** Those that count once the payment under way has succeeded. */
  #due: readonly number[] | undefined;
  /** What went back because of the case that is open, or was last. */
  #backByCase = 0;
  /** It ended by a disruption, at once or because its client asked. */
  refundedByCase = false;
  /** The present one last. */
  readonly #departures: number[] = [];
  #inTime = false;
  #createdAt = 0;
  #lastAt = 0;
  #expiresAt = 0;

  constructor(sold: Sold) {
    this.ship = sold.cabins;
    this.#former = sold.cabins;
  }

  /** It has followed its flight to another ship. */
  goesWith(ship: SoldCabins): void {
    this.#former = this.ship;
    this.ship = ship;
  }

  apply(event: BookingEvent): void {
    invariant(event.at >= this.#lastAt, "time went back on a booking");
    this.#lastAt = event.at;
    switch (event.type) {
      case "BookingCreated":
        this.#created(event);
        return;
      case "BookingAbandoned":
        invariant(this.status === "none", `a booking that is ${this.status} was abandoned`);
        this.status = "abandoned";
        return;
      case "BookingChanged": {
        invariant(this.status === "pending" || this.status === "confirmed", `changed while ${this.status}`);
        const { changeId, reference, seats, totalAmount, creditGivenUp } = event.data;
        const before = this.seats;
        this.credit -= creditGivenUp?.amount ?? 0;
        if (changeId !== null) this.changesTaken.add(changeId);
        if (reference !== undefined) this.references.push(reference);
        if (seats !== undefined) {
          this.seats = seats;
          this.seatsEver.push(seats.join());
        }
        if (changeId === null && seats !== undefined) this.#reseated(before, event.data.surchargesDue !== undefined);
        else if (changeId !== null && seats !== undefined && this.status === "pending") {
          this.#extras = this.#extrasOf(seats);
          this.#due = undefined;
        }
        if (totalAmount !== undefined) {
          invariant(this.status === "pending" || changeId === null, "the price of a paid booking changed");
          invariant(this.status === "confirmed" || this.#open().length === 0, "the price changed under a payment");
          if (this.status === "confirmed") this.#fallen += this.total - totalAmount;
          if (seats === undefined) {
            this.#extras = this.#due ?? this.#extras;
            this.#due = undefined;
          }
          this.total = totalAmount;
        }
        if (this.status === "pending" || totalAmount !== undefined)
          invariant(this.total === this.#price(), "the price does not follow the seats");
        return;
      }
      case "SeatChangeClosed":
        invariant(!this.changesTaken.has(event.data.changeId), "a change was closed that had been taken over");
        return;
      case "BookingConfirmed":
        invariant(this.status === "pending", `confirmed while ${this.status}`);
        this.status = "confirmed";
        return;
      case "BookingCancelled":
        invariant(this.status === "pending" || this.status === "confirmed", `cancelled while ${this.status}`);
        if (event.data.cause === "flight_cancelled") {
          const told = [...this.cases.values()].at(-1);
          invariant(told !== undefined, "cancelled by its flight, and not told so");
          invariant(told === this.moneyKept() + this.#backByCase, "another amount was told than was paid");
          this.cancelledByFlight = true;
        } else if (event.data.cause !== "requested") {
          invariant(this.status === "pending", "a paid booking expired");
          invariant(event.at >= this.#expiresAt, "a booking expired before its time");
          const charges = this.#open().filter(({ method }) => method.type !== "bank_transfer");
          invariant(charges.length === 0 || event.at >= this.departsAt, "a booking expired under an open charge");
        }
        this.#inTime = event.at <= this.#cancellableUntil();
        this.status = "cancelled";
        this.expired = event.data.cause !== "requested" || [...this.payments.values()].some((paid) => paid.reversed);
        this.cancelledAt = event.at;
        return;
      case "BookingDisrupted":
        invariant(this.status === "pending" || this.status === "confirmed", `disrupted while ${this.status}`);
        invariant(!this.cases.has(event.data.caseId), "one cancellation of its flight was followed twice");
        invariant(![...this.cases.values()].includes(undefined), "two cases are open");
        this.cases.set(event.data.caseId, undefined);
        this.#backByCase = event.data.refundAmount ?? 0;
        return;
      case "CaseRevised":
        invariant(this.#isOpen(event.data.caseId), "a case was revised that was not open");
        this.#backByCase += event.data.refundAmount ?? 0;
        return;
      case "CaseResolved":
        invariant(this.#isOpen(event.data.caseId), "a case was resolved that was not open");
        this.cases.set(event.data.caseId, event.data.refundAmount);
        this.outcomes.set(event.data.caseId, event.data.outcome);
        this.refundedByCase ||= event.data.outcome === "refunded";
        return;
      case "CabinChanged": {
        const { changeId, cabin, fareAmount, totalAmount, creditGivenUp } = event.data;
        invariant(this.status === "confirmed", `taken into another cabin while ${this.status}`);
        this.changesTaken.add(changeId);
        this.cabin = cabin;
        this.seats = [];
        this.seatsEver.push("");
        this.#extras = [];
        invariant(fareAmount === Math.min(this.#fare, this.ship[cabin]?.fare ?? 0), "another fare than the lower one");
        this.#fare = fareAmount;
        this.credit -= creditGivenUp?.amount ?? 0;
        this.#fallen += this.total - (totalAmount ?? this.total);
        this.total = totalAmount ?? this.total;
        invariant(this.total === this.#price(), "the price does not follow the cabin");
        return;
      }
      case "BookingMoved": {
        const { caseId, moveId, flightId, departsAt, seats, totalAmount, creditGivenUp } = event.data;
        invariant(this.status === "confirmed", `moved while ${this.status}`);
        invariant(
          this.#isOpen(caseId) || /^(accepted|rebooked)$/.test(this.outcomes.get(caseId) ?? ""),
          "moved without a reason",
        );
        invariant(!this.changesTaken.has(moveId), "one move was carried out twice");
        invariant(flightId !== this.flightId, "a booking moved to where it was");
        invariant(
          seats.length === 0 || seats.join() === this.seats.join() || totalAmount === undefined,
          "lost and paid back",
        );
        this.changesTaken.add(moveId);
        this.flightsEver.push(flightId);
        this.placedBy = moveId;
        this.seats = seats;
        this.seatsEver.push(seats.join());
        this.credit -= creditGivenUp?.amount ?? 0;
        this.#fallen += this.total - (totalAmount ?? this.total);
        if (event.data.surcharges !== undefined) this.#extras = [];
        this.total = totalAmount ?? this.total;
        this.#departures.push(departsAt);
        return;
      }
      case "DepartureMoved": {
        const { departsAt, expiresAt } = event.data;
        invariant((expiresAt !== undefined) === (this.status === "pending"), "a paid booking got time to pay");
        const transfer = this.#open().find(({ method }) => method.type === "bank_transfer");
        if (expiresAt !== undefined) this.#expiresAt = this.#movedExpiry(event.at, departsAt, transfer !== undefined);
        invariant(expiresAt === undefined || expiresAt === this.#expiresAt, "another time to pay than the rule says");
        this.#departures.push(departsAt);
        return;
      }
      case "PaymentStarted": {
        const { paymentId, amount, currency, method } = event.data;
        invariant(this.status === "pending", `a payment began while ${this.status}`);
        invariant(!this.payments.has(paymentId), `${paymentId} began twice`);
        invariant(amount === this.total, "the charge is not the booking's total");
        invariant(event.at < this.departsAt, "a payment began after departure");
        const alike = this.#open().filter(
          (open) => (open.method.type === "bank_transfer") === (method.type === "bank_transfer"),
        );
        invariant(alike.length === 0, "two payments of a kind at once");
        if (method.type === "bank_transfer") this.#expiresAt = method.bankTransfer.dueAt;
        this.payments.set(paymentId, { amount, currency, method, outcome: null, refunds: new Map() });
        return;
      }
      case "PaymentSucceeded":
        this.#ended(event.data.paymentId, "succeeded");
        return;
      case "PaymentFailed":
      case "PaymentWithdrawn":
        this.#ended(event.data.paymentId, "failed");
        return;
      case "TransferReceived": {
        const { entryId, paymentId, amount, currency, applied } = event.data;
        invariant(!this.entries.has(entryId), `entry ${entryId} counted twice`);
        invariant(this.#payment(paymentId).method.type === "bank_transfer", "a transfer for a charge");
        this.entries.set(entryId, { paymentId, amount, currency, applied, returned: 0 });
        return;
      }
      case "TransferReversed": {
        const { entryId, paymentId } = event.data;
        const entry = this.entries.get(entryId);
        invariant(entry?.paymentId === paymentId, `entry ${entryId} was reversed, and never came`);
        const payment = this.#payment(paymentId);
        invariant(entry.applied === 0 || payment.refunds.size === 0, "money was taken back that had been refunded");
        invariant(!entry.sent, "money was taken back that had been sent back");
        if (entry.applied > 0 && payment.outcome === "succeeded") payment.reversed = true;
        this.entries.delete(entryId);
        return;
      }
      case "ReturnDue": {
        const entry = this.entries.get(event.data.entryId);
        invariant(entry !== undefined && entry.currency === event.data.currency, "a return of money that never came");
        entry.returned += event.data.amount;
        invariant(entry.returned <= entry.amount, "more is returned than came");
        this.returns.set(event.data.returnId, entry);
        return;
      }
      case "ReturnSent": {
        const entry = this.returns.get(event.data.returnId);
        invariant(entry !== undefined && [...this.entries.values()].includes(entry), "a return of nothing was sent");
        entry.sent = true;
        return;
      }
      case "RefundStarted": {
        const { refundId, paymentId, amount, currency, reason } = event.data;
        const payment = this.#payment(paymentId);
        invariant(payment.outcome === "succeeded", "a refund of money never taken");
        invariant(currency === payment.currency && amount >= 1, "a refund of no money");
        invariant(!payment.refunds.has(refundId), `refund ${refundId} began twice`);
        payment.refunds.set(refundId, { amount, reason, at: event.at, settled: false });
        invariant(refunded(payment) <= payment.amount, "more is refunded than was paid");
        return;
      }
      case "RefundClosed":
        for (const { refunds } of this.payments.values())
          invariant(!refunds.has(event.data.refundId), "a refund was closed that had begun");
        return;
      case "CreditApplied": {
        const { redemptionId, amount, totalAmount } = event.data;
        invariant(this.status === "pending", `credit was given while ${this.status}`);
        invariant(this.#open().length === 0, "the price changed under a payment");
        this.#give(redemptionId, "booking_credit", event.at);
        this.credit += amount;
        this.total = totalAmount;
        invariant(this.total === this.#price(), "the price does not follow the credit");
        return;
      }
      case "CabinUpgraded": {
        const { redemptionId, cabin, totalAmount, creditGivenUp } = event.data;
        invariant(this.status === "pending" || this.status === "confirmed", `upgraded while ${this.status}`);
        this.#give(redemptionId, "cabin_upgrade", event.at);
        this.changesTaken.add(redemptionId);
        this.cabin = cabin;
        this.seats = [];
        if (this.status === "pending") this.#extras = [];
        this.seatsEver.push("");
        this.credit -= creditGivenUp?.amount ?? 0;
        if (totalAmount !== undefined) invariant(this.#open().length === 0, "the price changed under a payment");
        this.total = totalAmount ?? this.total;
        if (this.status === "pending") invariant(this.total === this.#price(), "the price does not follow the upgrade");
        return;
      }
      case "RewardAdded":
        this.#give(event.data.redemptionId, event.data.reward, event.at);
        return;
      case "RedemptionClosed":
        invariant(!this.rewards.has(event.data.redemptionId), "a redemption was closed that had been given");
        return;
      case "BookingFlown":
        invariant(event.at >= this.departsAt, "it was flown before departure");
        invariant(event.data.amount === this.moneyKept(), "it was flown with other money than was paid");
        return;
      case "RefundSucceeded": {
        const refund = this.#payment(event.data.paymentId).refunds.get(event.data.refundId);
        invariant(refund !== undefined && !refund.settled, "a refund settled twice");
        refund.settled = true;
        return;
      }
    }
  }

  get flightId(): string {
    return this.flightsEver.at(-1) ?? "";
  }

  get departsAt(): number {
    return this.#departures.at(-1) ?? 0;
  }

  /** What holds between any two appends. */
  check(bookingId: string): void {
    const succeeded = [...this.payments.values()].filter((payment) => payment.outcome === "succeeded");
    const kept = succeeded.filter((payment) => refunded(payment) < payment.amount);
    invariant(kept.length <= 1, `${bookingId} is paid twice`);
    if (this.status === "pending") {
      invariant(succeeded.length === 0, `${bookingId} is paid and pending`);
      invariant(this.total > 0, `${bookingId} costs nothing and is pending`);
    }
    if (this.status === "confirmed" && this.total + this.#fallen > 0) {
      invariant(
        succeeded.some((payment) => payment.amount === this.total + this.#fallen),
        `${bookingId} is confirmed and unpaid`,
      );
    }
    if (this.status === "cancelled") {
      const inTime = this.cancelledByFlight || this.refundedByCase || this.#inTime;
      if (inTime) invariant(kept.length === 0, `${bookingId} was cancelled in time and keeps the money`);
      invariant(
        [...this.payments.values()].every(
          (payment) => payment.outcome !== null || payment.method.type !== "bank_transfer",
        ),
        `${bookingId} is cancelled and waits for a transfer`,
      );
    }
    for (const [paymentId, payment] of this.payments) this.#checkTransfer(paymentId, payment);
  }

  /** Cents of credit the account can't use any more. */
  creditKept(): number {
    return this.status === "cancelled" && (this.expired || this.refundedByCase || this.#inTime) ? 0 : this.credit;
  }

  /** Cents paid and not given back. */
  moneyKept(): number {
    const succeeded = [...this.payments.values()].filter(({ outcome }) => outcome === "succeeded");
    return succeeded.reduce((sum, payment) => sum + payment.amount - refunded(payment), 0);
  }

  /** The same, without what went back later. */
  moneyKeptAtDeparture(): number {
    const refunds = [...this.payments.values()].flatMap((payment) => [...payment.refunds.values()]);
    const late = refunds.filter(({ at }) => at >= this.departsAt);
    return late.reduce((sum, { amount }) => sum + amount, this.moneyKept());
  }

  /** What that has earned at this moment: from departure on, by hand from the rates of the scenario. */
  pointsKept(at: number): number {
    if (at < this.departsAt) return 0;
    const kept = this.moneyKept();
    return this.facts?.currency === "KWD" ? 7 * Math.floor(kept / 1_000) : Math.floor(kept / 100);
  }

  #give(redemptionId: string, reward: string, at: number): void {
    invariant(!this.rewards.has(redemptionId), `${redemptionId} was given twice`);
    invariant(this.status === "pending" || this.status === "confirmed", `${reward} was given while ${this.status}`);
    invariant(at < this.departsAt, `${reward} was given after departure`);
    this.rewards.set(redemptionId, reward);
  }

  #checkTransfer(paymentId: string, payment: AuditedPayment): void {
    const entries = [...this.entries.values()].filter((entry) => entry.paymentId === paymentId);
    for (const entry of entries) {
      const keeps = payment.outcome === "failed" ? 0 : entry.applied;
      invariant(entry.amount - entry.returned === keeps, `cents of a transfer for ${paymentId} went astray`);
      invariant(entry.applied === 0 || entry.currency === payment.currency, "foreign money was applied");
    }
    if (payment.method.type !== "bank_transfer" || payment.outcome === "failed") return;
    const applied = entries.reduce((sum, entry) => sum + entry.applied, 0);
    invariant(applied <= payment.amount, `${paymentId} took more than its amount`);
    invariant(
      (applied === payment.amount) === (payment.outcome === "succeeded"),
      `${paymentId} has ${applied} of ${payment.amount}`,
    );
  }

  #created({ at, data }: BookingCreated): void {
    invariant(this.status === "none", `created while ${this.status}`);
    this.status = "pending";
    this.facts = data;
    this.flightsEver.push(data.flightId);
    this.seats = data.seats;
    this.seatsEver.push(data.seats.join());
    this.references.push(data.reference);
    this.total = data.totalAmount;
    this.cabin = data.cabin;
    this.credit = data.creditApplied;
    this.#extras = this.#extrasOf(data.seats);
    this.#fare = this.ship[data.cabin]?.fare ?? Number.NaN;
    invariant(this.total === this.#price(), "the price is wrong");
    const { departsAt } = data;
    this.#departures.push(departsAt);
    this.#createdAt = at;
    invariant(at < departsAt, "booked after departure");
    this.#expiresAt = this.#expiryOf(at, departsAt);
  }

  #ended(paymentId: string, outcome: "succeeded" | "failed"): void {
    const payment = this.#payment(paymentId);
    const isReversed = payment.reversed === true && payment.outcome === "succeeded" && outcome === "failed";
    invariant(payment.outcome === null || isReversed, `${paymentId} ended twice`);
    payment.outcome = outcome;
  }

  #payment(paymentId: string): AuditedPayment {
    const payment = this.payments.get(paymentId);
    invariant(payment !== undefined, `${paymentId} never began`);
    return payment;
  }

  #isOpen(caseId: string): boolean {
    return this.cases.has(caseId) && this.cases.get(caseId) === undefined;
  }

  #open(): readonly AuditedPayment[] {
    return [...this.payments.values()].filter((payment) => payment.outcome === null);
  }

  #extrasOf(seats: readonly string[]): readonly number[] {
    return seats.map((seat) => this.ship[this.cabin]?.surcharges[seat] ?? Number.NaN);
  }

  /** On one of the two ships no seat has a surcharge: whoever comes there loses all that was paid for the present seats. */
  #reseated(seats: readonly string[], isUnderPayment: boolean): void {
    const prices = seats.map((seat) => this.#former[this.cabin]?.surcharges[seat] ?? 0);
    const extras = exchanged(this.#due ?? this.#extras, prices).map((paid, index) => (prices[index] ? 0 : paid));
    if (isUnderPayment || this.#due !== undefined) this.#due = extras;
    else this.#extras = extras;
  }

  #price(): number {
    invariant(this.facts !== undefined, "no booking");
    const price = this.#extras.reduce((sum, amount) => sum + amount, this.#fare * this.facts.passengers.length);
    invariant(this.credit <= price, "credit that has no use stays on a booking");
    invariant(this.credit === 0 || this.facts.currency === "USD", `credit was given in ${this.facts.currency}`);
    return price - this.credit;
  }

  #expiryOf(at: number, departsAt: number): number {
    const usual = Math.min(this.#createdAt + 24 * HOUR, departsAt - 2 * HOUR);
    return Math.min(departsAt, Math.max(usual, at + HOUR / 4));
  }

  /** That of a transfer never gets later. */
  #movedExpiry(at: number, departsAt: number, hasTransfer: boolean): number {
    if (!hasTransfer) return this.#expiryOf(at, departsAt);
    return departsAt < this.departsAt ? Math.min(this.#expiresAt, departsAt - 2 * HOUR) : this.#expiresAt;
  }

  /** A day before the latest of its departures, and never after the present one. */
  #cancellableUntil(): number {
    return Math.min(this.departsAt, Math.max(...this.#departures) - 24 * HOUR);
  }
}

/** Who has paid more than the own seat costs has exchanged it with who has paid less. */
function exchanged(paid: readonly number[], prices: readonly number[]): readonly number[] {
  const shares = [...paid];
  for (const [to, price] of prices.entries()) {
    for (const [from, other] of prices.entries()) {
      const part = Math.min(price - (shares[to] ?? 0), (shares[from] ?? 0) - other);
      if (part <= 0) continue;
      shares[to] = (shares[to] ?? 0) + part;
      shares[from] = (shares[from] ?? 0) - part;
    }
  }
  return shares;
}

/** Cents, settled or not. */
export function refunded(payment: AuditedPayment): number {
  return [...payment.refunds.values()].reduce((sum, refund) => sum + refund.amount, 0);
}
