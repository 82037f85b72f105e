import type { CreditGivenUp } from "../booking/events.ts";
import { isExistingBooking } from "../booking/state.ts";
import type { Instant } from "../shared/decision.ts";
import { dueTask, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { execute, faultPoint, readState, type Saga } from "./saga.ts";

const settleCreditClaimTask = dueTask({
  kind: "settle_credit_claim",
  ofRequest: true,
  openedBy: {
    CreditClaimed: ({ at, data: { accountId, bookingId } }) => ({ accountId, bookingId, dueAt: at + RECOVERY_GRACE }),
  },
  closedBy: {
    // A booking created without credit has not used the credit that another attempt may have claimed for it.
    BookingCreated: ({ data }, bookingId) => (data.creditApplied > 0 ? bookingId : []),
    CreditReturned: ({ data }) => data.bookingId,
  },
  key: ({ bookingId }) => bookingId,
  run: ({ accountId, bookingId }) => settleCreditClaim(accountId, bookingId),
});

const returnCreditTask = dueTask({
  kind: "return_credit",
  openedBy: {
    BookingChanged: givenUp,
    BookingMoved: givenUp,
    CabinUpgraded: givenUp,
    CabinChanged: givenUp,
    BookingCancelled: givenUp,
  },
  closedBy: { CreditReturned: ({ data }) => data.creditId },
  key: ({ creditId }) => creditId,
  run: ({ bookingId, ...credit }) => returnCredit(bookingId, credit),
});

/**
 * Returns credit that was claimed for a booking that was never created, or was created without it. First closes the
 * stream of a missing booking. A late creation is then refused, so the credit can't be used twice. Idempotent.
 */
export function* settleCreditClaim(accountId: string, bookingId: string): Saga {
  const abandoned = yield* execute("booking", bookingId, { type: "AbandonBooking", bookingId });
  // A rejection means that the booking exists after all: with its credit, or made by another attempt that claimed none.
  const isUsed =
    !abandoned.accepted &&
    (yield* readState("booking", bookingId, (booking) => isExistingBooking(booking) && booking.creditClaimed > 0));
  if (isUsed) return;
  yield* faultPoint("credit:abandoned");
  yield* execute("loyalty", accountId, { type: "ReturnClaim", accountId, bookingId });
}

/** Returns credit that a booking gave up to the account's credit balance. Idempotent. */
export function* returnCredit(bookingId: string, { accountId, creditId, amount }: CreditGivenUp): Saga {
  yield* execute("loyalty", accountId, { type: "ReturnCredit", accountId, creditId, bookingId, amount });
  yield* faultPoint("credit:returned");
}

function givenUp(
  { at, data: { creditGivenUp } }: { readonly at: Instant; readonly data: { readonly creditGivenUp?: CreditGivenUp } },
  bookingId: string,
) {
  return creditGivenUp && { bookingId, ...creditGivenUp, dueAt: at };
}

export const useCredit = {
  name: "credit",
  steps: "account's credit balance is claimed from, booking is created with it",
  undoneBy: "booking's stream is closed, then the claim goes back",
  tasks: [settleCreditClaimTask, returnCreditTask],
} as const satisfies ProcessDefinition;
