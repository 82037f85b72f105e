import { type BookingEvent, type BookingState, evolveBooking, isExistingBooking } from "@travel-booking/domain";
import { BOOKINGS, EVENTS, type KeptBooking } from "@travel-booking/read-models";
import { type Change, type Documents, foldedModel, type Place, type Projection } from "../../projection.ts";
import { copyOf } from "../copy-of.ts";
import { idOf, type Recorded, recorded } from "../recorded.ts";
import { appearanceOf } from "./appearance.ts";
import { currentWrites } from "./current-writes.ts";
import { documentWrites } from "./document-writes.ts";
import { eventWrites } from "./event-writes.ts";
import { isVisible } from "./history-type.ts";
import { transferWrites } from "./transfer-writes.ts";

const { state, booking, payment, history, version, transfer, transferReference, document } = BOOKINGS;
const { event } = EVENTS;

const NEW: KeptBooking = { booking: { status: "none" }, created: [] };

/** What came to be with an event and has a document of its own that later events write again. */
function createdBy(event: Recorded<BookingEvent>): readonly (readonly [id: string, position: string])[] {
  const position = String(event.position);
  switch (event.type) {
    case "PaymentStarted":
      return [[event.data.paymentId, position]];
    case "TransferReceived":
      return [[event.data.entryId, position]];
    case "ReturnDue":
      return [[event.data.returnId, position]];
    case "DocumentUploaded":
      return [[event.data.documentId, position]];
    default:
      return [];
  }
}

function apply(event: Recorded<BookingEvent>, documents: Documents): Change[] {
  const key = idOf(event);
  if (documents.holds(state.model, key)) return [];
  const kept = documents.state<KeptBooking>(state.model, key) ?? NEW;
  const before = appearanceOf(kept.booking, event);
  // What was folded before may still wait to be stored: it stays as it is.
  const after: BookingState = evolveBooking(copyOf(kept.booking), event);
  const folded: KeptBooking = { booking: after, created: [...kept.created, ...createdBy(event)] };
  const change: Change = { kind: "fold", model: state.model, key, state: folded };
  if (!isExistingBooking(after) || !isVisible(event)) return [change];
  return [change, ...eventWrites(after, event, before, appearanceOf(after, event))];
}

function represent({ booking, created }: KeptBooking, place: Place) {
  const nothing = { body: null, indexes: {}, staleAt: null };
  if (!isExistingBooking(booking)) return nothing;
  const positions = new Map(created);
  const createdAt = (id: string) => BigInt(positions.get(id) ?? place.created);
  return {
    ...nothing,
    others: [
      ...currentWrites(booking, place.created, createdAt, place.position),
      ...transferWrites(booking, createdAt, place.position),
      ...documentWrites(booking, createdAt, place.position),
    ],
  };
}

/** Bookings with their payments, their history, what is told of them, and what operators see of their bank transfers. */
export const bookings: Projection = {
  name: BOOKINGS.projection,
  version: 3,
  models: {
    [state.model]: foldedModel<KeptBooking>([], represent),
    [booking.model]: { indexes: [booking.byAccount] },
    [payment.model]: { indexes: [] },
    [history.model]: { indexes: [history.byBooking] },
    [version.model]: { indexes: [version.byTime] },
    [event.model]: { indexes: [event.all, event.byAccount, event.byAccountAndType, event.byBooking] },
    [transfer.model]: { indexes: [transfer.newest] },
    [transferReference.model]: { indexes: [] },
    [document.model]: { indexes: [document.oldest] },
  },
  handlers: {
    booking: {
      reads: (event) => [{ model: state.model, key: idOf(event) }],
      apply: (event, documents) => apply(recorded<BookingEvent>(event), documents),
    },
  },
};
