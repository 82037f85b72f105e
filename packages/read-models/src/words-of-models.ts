import { ANSWER_WORDS, BOOKING_WORDS, type Places, PROFILE_WORDS } from "@travel-booking/domain";
import { ACCOUNTS } from "./accounts.ts";
import { BOOKINGS } from "./bookings.ts";
import { LOYALTY } from "./loyalty.ts";
import { PASSENGERS } from "./passengers.ts";

/** A `StoredSegment`. */
const SEGMENT: Places = { fields: { start: BOOKING_WORDS, events: { each: "byType" } } };
const NAMED: Places = { fields: { name: "text" } };
const UPLOAD: Places = { fields: { fileName: "text", rejectionReason: "text" } };

/** Where the documents of each model have personal words: in what is shown of them, and perhaps in their state (docs/privacy.md). */
export const WORDS_OF_MODELS: Readonly<Partial<Record<string, { readonly body: Places; readonly state?: Places }>>> = {
  [BOOKINGS.booking.model]: { body: { each: ANSWER_WORDS }, state: SEGMENT },
  [BOOKINGS.segment.model]: { body: SEGMENT },
  [BOOKINGS.document.model]: { body: UPLOAD },
  [BOOKINGS.rejectedDocument.model]: { body: UPLOAD },
  [PASSENGERS.passenger.model]: { body: ANSWER_WORDS, state: { fields: { profile: PROFILE_WORDS } } },
  [ACCOUNTS.account.model]: {
    body: NAMED,
    // Each credential has when it was issued beside it.
    state: { fields: { account: NAMED, credentials: { each: { each: NAMED } } } },
  },
  [ACCOUNTS.credential.model]: { body: NAMED },
  // Only what an operator wrote is sealed: other postings have no key.
  [LOYALTY.transaction.model]: { body: { fields: { description: "text" } } },
};
