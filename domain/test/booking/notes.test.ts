import { describe, test } from "@jest/globals";
import { HOUR, MAX_CHANGES_SIZE } from "../../src/index.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
  cancelled,
  confirmed,
  created,
  given,
  NO_POINTS,
  paid,
  REFUND,
  refundStarted,
  T0,
  TOTAL,
} from "./fixtures.ts";

const NOW = T0 + HOUR;
const note = { type: "AddNote", text: "she rang up" } as const;
const noted = { type: "NoteAdded", at: NOW, data: { text: "she rang up" } } as const;
const cancel = { type: "CancelBooking", accountId: ACCOUNT, reason: null, note: note.text } as const;
const refund = { type: "RefundPayment", accountId: ACCOUNT, paymentId: CARD_PAYMENT, refundId: REFUND } as const;
const erased = { type: "BookingErased", at: T0, data: { bookingId: BOOKING } } as const;

describe("what operators say of a booking", () => {
  test("is written down in every state", () => {
    for (const history of [[created()], [created(), confirmed(T0)], [created(), cancelled(T0)]])
      given(history).when(note, NOW).then([noted]);
  });

  test("comes behind what they do in the client's place, and changes nothing of it", () => {
    given([created()])
      .when(cancel, NOW)
      .then([cancelled(NOW), noted]);
    given(paid())
      .when({ ...refund, amount: null, note: note.text }, NOW)
      .then([
        refundStarted(NOW, CARD_PAYMENT, REFUND, TOTAL, "requested_by_customer", null, {
          ...NO_POINTS,
          keepsLessThanHalf: true,
        }),
        noted,
      ]);
  });

  test("is left out where nothing follows, or the command is refused", () => {
    given([created(), cancelled(T0)])
      .when(cancel, NOW)
      .then([]);
    given([created()])
      .when({ ...cancel, accountId: "acc_other" }, NOW)
      .thenRejected("booking_not_found");
  });

  test("is refused once the booking is erased, with what it would be said of", () => {
    const history = [...paid(), erased];
    given(history).when(note, NOW).thenRejected("booking_not_found");
    given(history).when(cancel, NOW).thenRejected("booking_not_found");
    given([]).when(note, NOW).thenRejected("booking_not_found");
  });

  test("takes room for changes, and is refused without more where it is all that is said", () => {
    const long = { type: "NoteAdded", at: T0, data: { text: "x".repeat(MAX_CHANGES_SIZE) } } as const;
    given([created(), long])
      .when(note, NOW)
      .thenRejected({ code: "too_many_changes", facts: { most: MAX_CHANGES_SIZE } });
    given([created(), long])
      .when(cancel, NOW)
      .then([cancelled(NOW), noted]);
  });
});
