import { ANSWER_WORDS, BOOKING_WORDS, type Places, PROFILE_WORDS } from "@travel-booking/domain";
import { ACCOUNTS } from "./accounts.ts";
import { BOOKINGS } from "./bookings.ts";
import { LOYALTY } from "./loyalty.ts";
import { PASSENGERS } from "./passengers.ts";

/** A `StoredSegment`. */
const SEGMENT: Places = { fields: { start: BOOKING_WORDS, events: { each: "byType" } } };
const NAMED: Places = { fields: { name: "text" } };
const UPLOAD: Places = { fields: { fileName: "text", rejectionReason: "text" } };

/** Where the documents of each model have personal words: in the body, and perhaps in the state (docs/privacy.md). */
export const WORDS_OF_MODELS: Readonly<Partial<Record<string, { readonly body: Places; readonly state?: Places }>>> = {
  [BOOKINGS.booking.model]: { body: { each: ANSWER_WORDS }, state: SEGMENT },
  [BOOKINGS.segment.model]: { body: SEGMENT },
  [BOOKINGS.document.model]: { body: UPLOAD },
  [BOOKINGS.rejectedDocument.model]: { body: UPLOAD },
  [BOOKINGS.transfer.model]: { body: { fields: { reason: "text" } } },
  [PASSENGERS.passenger.model]: { body: ANSWER_WORDS, state: { fields: { profile: PROFILE_WORDS } } },
  [ACCOUNTS.account.model]: {
    body: NAMED,
    // Each entry is a credential and the time of its issue.
    state: { fields: { account: NAMED, credentials: { each: { each: NAMED } } } },
  },
  [ACCOUNTS.credential.model]: { body: NAMED },
  // Only texts of operators are sealed, because other postings have no key.
  [LOYALTY.transaction.model]: { body: { fields: { description: "text" } } },
};
