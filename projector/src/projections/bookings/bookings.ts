import { bookingBody, disruptionBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingEvent,
  casesOf,
  ERASED_WORDS,
  type ExistingBooking,
  isExistingBooking,
  nextEventDueAt,
  saysWordsLeft,
  silenceDueAt,
} from "@travel-booking/domain";
import type { Document } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  BOOKING_WORD,
  BOOKINGS,
  type BookingClues,
  BookingLife,
  EVENTS,
  eventSortKey,
  firstOf,
  isCreation,
  type PublicEventDraft,
  publicEventId,
  type RecordedBookingEvent,
  type Segment,
  type StoredCase,
  type StoredSegment,
  segmentIndexes,
  segmentKey,
  storeSegment,
  type TransferTarget,
  timeSortKey,
} from "@travel-booking/read-models";
import type { FoundBy } from "@travel-booking/read-models/sealed-words";
import {
  aggregateIdOf,
  type Change,
  type DocumentPut,
  type Documents,
  fixedModels,
  type Projection,
  placesByCreation,
  recorded,
} from "../../projection.ts";
import { eventPut } from "../public-event.ts";
import { bankEntryHandler } from "./bank-entries.ts";
import { creationSubscribersHandler, creationSubscribersOf, isSubscribedTo } from "./creation-subscribers.ts";
import { documentUsageHandler } from "./document-usage.ts";
import { changedRows, operatorRows } from "./operator-rows.ts";

const {
  booking,
  clues,
  payment,
  refundPlace,
  disruption,
  over,
  overDocuments,
  caseOfDisruption,
  segment,
  transfer,
  transferReference,
  documentUsage,
  creationSubscribers,
} = BOOKINGS;
const { event: events } = EVENTS;

function apply(event: RecordedBookingEvent, bookingId: string, documents: Documents): Change[] {
  // The id is closed: there will be no booking.
  if (event.type === "BookingAbandoned") return [];
  const stored = documents.state<BookingLife | StoredSegment>(booking.model, bookingId);
  const before = stored instanceof BookingLife ? stored : BookingLife.parse(bookingId, stored);
  const rows = operatorRows(before.booking, event);
  const { life, drafts, closed } = before.append(event);
  const changes: Change[] = [{ kind: "put", model: booking.model, key: bookingId, state: life }];
  if (closed !== undefined) changes.push(segmentDocument(closed));
  if (isExistingBooking(life.booking)) {
    changes.push(...publicEvents(life.booking, event, drafts, documents), ...transferReferences(life.booking, event));
    changes.push(...cluesOf(life.booking, event), ...placeOfMoney(life.booking, event));
    changes.push(...placeOfCase(life.booking, event), ...placesOfOver(life.booking, event));
    if (event.type === "TransferReceived") {
      // Its row, where it had matched nothing before.
      changes.push({ kind: "delete", model: transfer.model, key: event.data.entryId });
    }
    changes.push(...changedRows(rows, operatorRows(life.booking, event), saysWordsLeft(event.type)));
  }
  return changes;
}

function publicEvents(
  { accountId, bookingId: about }: ExistingBooking,
  { id, at, revision, position }: RecordedBookingEvent,
  drafts: readonly PublicEventDraft[],
  documents: Documents,
): DocumentPut[] {
  return drafts.flatMap(({ type }, index) => {
    if (isCreation(type) && !isSubscribedTo(documents, accountId)) return [];
    const eventId = publicEventId(id, type, about);
    return eventPut({ eventId, type, accountId, about, at, revision }, eventSortKey(position, index));
  });
}

/** What a started payment is found by, if it is a bank transfer. */
function transferReferences(
  { accountId, bookingId }: ExistingBooking,
  { type, data }: RecordedBookingEvent,
): DocumentPut[] {
  if (type !== "PaymentStarted" || data.method.type !== "bank_transfer") return [];
  const state: TransferTarget = { accountId, bookingId, paymentId: data.paymentId };
  const key = data.method.bankTransfer.reference;
  return [{ kind: "put", model: transferReference.model, key, state }];
}

interface Clues extends FoundBy, Pick<ExistingBooking, "flightId" | "departsAt" | "createdAt"> {}

/** What it is found by, where the event changes that. */
function cluesOf(
  { accountId, bookingId: key, flightId, departsAt, createdAt, reference, passengers }: ExistingBooking,
  event: RecordedBookingEvent,
): DocumentPut[] {
  if (!changesClues(event)) return [];
  const emails = passengers.map(({ email }) => BOOKING_WORD.email(email));
  const words = new Set(reference === null ? emails : [BOOKING_WORD.reference(reference), ...emails]);
  for (const erased of WORDS_OF_ERASED) words.delete(erased);
  const state: Clues = { accountId, flightId, departsAt, createdAt, words: [...words] };
  return [{ kind: "put", model: clues.model, key, state }];
}

const WORDS_OF_ERASED = [BOOKING_WORD.reference(ERASED_WORDS.text), BOOKING_WORD.email(ERASED_WORDS.email)];

const CHANGES_CLUES = /^(Booking(Changed|Moved|Erased|PassengerErased)|DepartureMoved)$/;

/** Whether it says what a booking is found by. */
function changesClues({ type, data }: RecordedBookingEvent): boolean {
  if (type === "BookingChanged") return data.reference !== undefined || data.passengers !== undefined;
  return type === "BookingCreated" || CHANGES_CLUES.test(type);
}

function placeOfCase(booking: ExistingBooking, { type, data }: RecordedBookingEvent): DocumentPut[] {
  if (type !== "BookingDisrupted" && type !== "CaseRevised" && type !== "CaseResolved") return [];
  const { bookingId, accountId, currency } = booking;
  const found = casesOf(booking).find(({ caseId }) => caseId === data.caseId);
  if (found === undefined) throw new Error(`${type}: there is no case ${data.caseId}`);
  const { caseId: key, createdAt } = found;
  const stored: StoredCase = [accountId, currency, disruptionBody(bookingId, found)];
  const indexes = { [disruption.byAccount]: { partition: accountId, sort: timeSortKey(createdAt, key) } };
  const place: DocumentPut = { kind: "put", model: disruption.model, key, body: JSON.stringify(stored), indexes };
  if (type === "CaseResolved") return [place];
  const { disruptionId: partition } = data;
  const ofDisruption = { [caseOfDisruption.byDisruption]: { partition, sort: timeSortKey(createdAt, key) } };
  const about = { model: caseOfDisruption.model, key: `${partition}/${key}`, body: JSON.stringify(key) };
  return [place, { kind: "put", ...about, indexes: ofDisruption }];
}

/**
 * A booking is on the list from its end on, the last if there are several, until its people are erased; on that of documents, too, until
 * these are, where it has any.
 */
function placesOfOver(booking: ExistingBooking, { type, at }: RecordedBookingEvent): Change[] {
  const { bookingId: key, status, flown, documents, documentsErased, erased } = booking;
  const end = ({ model }: { readonly model: string }): Change => ({ kind: "delete", model, key });
  if (type === "BookingErased") return [end(over), end(overDocuments)];
  if (type === "BookingDocumentsErased") return [end(overDocuments)];
  const isEnd = type === "BookingFlown" || type === "BookingCancelled";
  const isLate = type === "DocumentUploaded" && (flown || status === "cancelled");
  if (erased === true || !(isEnd || isLate)) return [];
  const lists = [
    ...(isEnd ? [over] : []),
    ...(documents.length > 0 && documentsErased !== true ? [overDocuments] : []),
  ];
  return lists.map(({ model, oldest }): Change => {
    return { kind: "put", model, key, indexes: { [oldest]: { partition: ALL_PARTITION, sort: timeSortKey(at, key) } } };
  });
}

/** Each payment and refund that is started has one, also if it is withdrawn. */
function placeOfMoney({ accountId }: ExistingBooking, { type, at, data }: RecordedBookingEvent): DocumentPut[] {
  if (type !== "PaymentStarted" && type !== "RefundStarted") return [];
  const [{ model, byAccount }, key] =
    type === "PaymentStarted" ? [payment, data.paymentId] : [refundPlace, data.refundId];
  return [{ kind: "put", model, key, indexes: { [byAccount]: { partition: accountId, sort: timeSortKey(at, key) } } }];
}

function represent(life: BookingLife, { created }: Pick<Document, "created">) {
  const current = life.booking as ExistingBooking;
  const { accountId, status } = current;
  return {
    body: [accountId, bookingBody(current)],
    state: life.stored,
    indexes: placesByCreation(created, { [booking.byAccount]: accountId }),
    // A paid booking changes by time alone only where a case waits for an answer; refunds do, which a booking does not show.
    staleAt: status === "pending" ? nextEventDueAt(current) : status === "confirmed" ? silenceDueAt(current) : null,
  };
}

function segmentDocument(closed: Segment): DocumentPut {
  return {
    kind: "put",
    model: segment.model,
    key: segmentKey(closed.bookingId, firstOf(closed).revision),
    body: storeSegment(closed),
    indexes: segmentIndexes(closed),
  };
}

/** Bookings with what happened to them, public events, and the transfers, refunds, disputes and documents operators see. */
export const bookings: Projection = {
  name: BOOKINGS.projection,
  version: BOOKINGS.version,
  models: {
    [booking.model]: { fixedIndexes: true, represent },
    [clues.model]: {
      fixedIndexes: true,
      // Words are stored nowhere but in the booking.
      represent: ({ accountId, flightId, departsAt, createdAt, words }: Clues, { created }) => ({
        state: true,
        body: [flightId, departsAt, createdAt] satisfies BookingClues,
        foundBy: { accountId, words },
        indexes: placesByCreation(created, { [clues.byAccount]: accountId }),
      }),
    },
    ...fixedModels(
      payment,
      refundPlace,
      disruption,
      caseOfDisruption,
      segment,
      events,
      documentUsage,
      transferReference,
      creationSubscribers,
    ),
  },
  handlers: {
    bankEntry: bankEntryHandler,
    booking: {
      reads: (event) => [
        { model: booking.model, key: aggregateIdOf(event) },
        // For their place: it is that of the booking.
        ...(CHANGES_CLUES.test(event.type) ? [{ model: clues.model, key: aggregateIdOf(event) }] : []),
        ...documentUsageHandler.reads(event),
        ...creationSubscribersOf(event),
      ],
      apply: (event, documents) => [
        ...apply(recorded<BookingEvent>(event), aggregateIdOf(event), documents),
        ...documentUsageHandler.apply(event, documents),
      ],
    },
    webhookEndpoints: creationSubscribersHandler,
  },
};
