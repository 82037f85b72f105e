import { expect } from "@jest/globals";
import {
  type BookingCommand,
  type BookingEvent,
  type BookingState,
  bookingDecider,
  type Decision,
  dueEvents,
  hasAppliedSeatChange,
  isExistingBooking,
  paymentIdOf,
  refundIdOf,
} from "../../../src/index.ts";
import { ACCOUNT, ADA, BANK, BOB, BOOKING, CARD, create, REFERENCE, T0 } from "../fixtures.ts";
import type { BookingTerms, Share, Step } from "./steps.ts";

/** A booking, the bank and the clock around it, driven by random steps. */
export class BookingModel {
  readonly log: BookingEvent[] = [];
  /** The events of the last step. */
  lastStep: readonly BookingEvent[] = [];
  /** What the bank really received. */
  readonly bank = new Map<string, { readonly amount: number; readonly currency: string }>();
  readonly #done: BookingCommand[] = [];
  readonly #terms: BookingTerms;
  state: BookingState = bookingDecider.initialState();
  now = T0;
  #ids = 0;

  constructor(terms: BookingTerms) {
    this.#terms = terms;
  }

  take(step: Step): void {
    const before = this.log.length;
    if (step.do === "wait") this.now += step.ms;
    else if (step.do === "repeat") this.#repeat(step.pick);
    else {
      const command = this.#commandOf(step);
      if (command !== undefined) this.#decide(command);
    }
    this.lastStep = this.log.slice(before);
  }

  #decide(command: BookingCommand): void {
    const lapsed = dueEvents(this.state, this.now);
    const decision = this.#record(command);
    if (decision.rejection === undefined) {
      if (decision.events.length > lapsed.length) this.#done.push(command);
      if (command.type === "ReceiveTransfer") this.bank.set(command.entryId, command);
      if (command.type === "ReverseTransfer") this.bank.delete(command.entryId);
    } else {
      expect(decision.events).toStrictEqual(lapsed);
    }
    // A twin of the command, at once: it finds everything done, or is refused for the same reason.
    expect(this.#record(command)).toStrictEqual({ ...decision, events: [] });
  }

  /** A command that did something some time ago comes again: nothing happens but what has lapsed anyway. */
  #repeat(pick: number): void {
    const command = pickFrom(
      this.#done.filter((each) => isRecognised(each, this.state)),
      pick,
    );
    if (command === undefined) return;
    const lapsed = dueEvents(this.state, this.now);
    expect(this.#record(command)).toStrictEqual({ events: lapsed });
  }

  #record(command: BookingCommand): Decision<BookingEvent> {
    const frozen = deepFreeze(structuredClone(this.state));
    const decision = bookingDecider.decide(deepFreeze(command), frozen, this.now);
    for (const event of decision.events) {
      expect(event.at).toBe(this.now);
      this.log.push(deepFreeze(event));
      this.state = bookingDecider.evolve(this.state, event);
    }
    return decision;
  }

  #commandOf(step: Exclude<Step, { do: "wait" | "repeat" }>): BookingCommand | undefined {
    const booking = isExistingBooking(this.state) ? this.state : undefined;
    const payments = booking?.payments ?? [];
    const common = { accountId: ACCOUNT } as const;
    switch (step.do) {
      case "create":
        return this.creation();
      case "abandon":
        return { type: "AbandonBooking", bookingId: BOOKING };
      case "cancel":
        return { type: "CancelBooking", ...common, reason: null, changes: [] };
      case "expire":
        return { type: "ExpireBooking" };
      case "pay":
        return {
          type: "StartPayment",
          ...common,
          paymentId: paymentIdOf(BOOKING, this.#id()),
          method: CARD,
          metadata: [],
        };
      case "transfer":
        return {
          type: "StartBankTransfer",
          ...common,
          paymentId: paymentIdOf(BOOKING, this.#id()),
          reference: REFERENCE,
          ...BANK,
          metadata: [],
        };
      case "change":
        return {
          type: "ChangeBooking",
          ...common,
          ...(step.reference !== undefined && { reference: step.reference }),
          ...(step.swap && { passengers: [BOB, ADA] }),
          ...(step.surcharge !== undefined && {
            seats: {
              flightId: "flt_1",
              changeId: `chg_${this.#id()}`,
              seats: [`${step.surcharge}A`, `${step.surcharge}B`],
              surcharges: [step.surcharge, 0],
            },
          }),
        };
      case "closeChange":
        return { type: "CloseSeatChange", changeId: pickFrom(booking?.changesApplied ?? [], step.pick) ?? "chg_lost" };
      case "outcome": {
        const charge = pickFrom(
          payments.filter(({ method }) => method.type === "card"),
          step.pick,
        );
        return (
          charge && {
            type: "RecordPaymentOutcome",
            paymentId: charge.paymentId,
            outcome: step.succeeds ? { status: "succeeded" } : { status: "failed", failureCode: "card_declined" },
          }
        );
      }
      case "receive": {
        const amount = shareOf(booking?.totalAmount ?? 0, step.share);
        return {
          type: "ReceiveTransfer",
          entryId: `e${this.#id()}`,
          reference: REFERENCE,
          amount,
          currency: step.currency,
        };
      }
      case "receiveAgain": {
        const [entryId, entry] = pickFrom([...this.bank], step.pick) ?? [];
        if (entryId === undefined || entry === undefined) return undefined;
        return {
          type: "ReceiveTransfer",
          entryId,
          reference: REFERENCE,
          amount: entry.amount,
          currency: entry.currency,
        };
      }
      case "reverse": {
        const entryId = pickFrom([...this.bank.keys()], step.pick);
        const { cancelBooking } = step;
        return entryId === undefined
          ? undefined
          : { type: "ReverseTransfer", entryId, reason: "mistyped", cancelBooking };
      }
      case "sendReturn": {
        const owed = pickFrom(booking?.returns ?? [], step.pick);
        return owed && { type: "MarkReturnSent", returnId: owed.returnId };
      }
      case "settle": {
        const refund = pickFrom(
          payments.flatMap(({ refunds }) => refunds),
          step.pick,
        );
        return refund && { type: "SettleRefund", refundId: refund.refundId };
      }
      case "refund": {
        const payment = pickFrom(payments, step.pick);
        return (
          payment && {
            type: "RefundPayment",
            ...common,
            paymentId: payment.paymentId,
            refundId: refundIdOf(payment.paymentId, this.#id()),
            amount: step.share === "null" ? null : shareOf(payment.amount, step.share),
          }
        );
      }
    }
  }

  creation(): BookingCommand {
    const { untilDeparture, fareAmount, credit, seated, pointsRate } = this.#terms;
    return create({
      departsAt: T0 + untilDeparture,
      fareAmount,
      creditApplied: credit,
      pointsRate,
      ...(seated ? {} : { seats: [], surcharges: [] }),
    });
  }

  #id(): string {
    this.#ids += 1;
    return this.#ids.toString(16).padStart(12, "0");
  }
}

/** A change that moved no seats leaves no trace of who made it: only what was made under an id is recognised. */
function isRecognised(command: BookingCommand, state: BookingState): boolean {
  return command.type !== "ChangeBooking" || hasAppliedSeatChange(state, command.seats?.changeId ?? "");
}

function pickFrom<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(1, items.length)];
}

function shareOf(amount: number, share: Share): number {
  switch (share) {
    case "cent":
      return 1;
    case "half":
      return Math.max(1, Math.floor(amount / 2));
    case "all":
      return Math.max(1, amount);
    case "more":
      return amount + 7;
  }
}

/** Freezes a value with all it holds: whoever writes to it throws. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
