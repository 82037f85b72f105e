import type { AccountEvent } from "../account/events.ts";
import type { BookingEvent, BookingPassenger } from "../booking/events.ts";
import type { ExistingBooking, TravelDocument } from "../booking/state.ts";
import type { LoyaltyEvent } from "../loyalty/events.ts";
import type { PassengerEvent } from "../passenger/events.ts";
import { samePersonName } from "../travel-document/same-person-name.ts";
import type { KindOfWord, WordKind } from "./kinds.ts";

/** Replacements for erased personal words, by the kind of the word. Each has the shape of its field. */
export const ERASED_WORDS = {
  text: "[erased]",
  email: "erased@erased.invalid",
  /** A day on which no user was born. */
  date: "0001-01-01",
  /** ISO 3166-1 reserves it for private use. */
  country: "XX",
  /** docs/rules.md#travel-preferences: the default. */
  meal: "standard",
} as const satisfies Readonly<Record<WordKind, string>>;

/**
 * The places of personal words in a JSON value. A kind stands for a text. `fields` are those of an object, and `each`
 * is every item of a list. `pairs` are metadata, whose second items are words; in JSON form these are `values`.
 * `byType` is a list of an event's type and its data. `kinds` is a list of `KindOfWord`.
 */
export type Places =
  | WordKind
  | "pairs"
  | "values"
  | "byType"
  | "kinds"
  | { readonly each: Places }
  | { readonly fields: Readonly<Record<string, Places>> };

const PASSENGER: Places = { fields: { name: "text", email: "email" } };
const PARTY: Places = { each: PASSENGER };

const READ: Places = { fields: { name: "text", expiresOn: "date", number: "text" } };

const PROFILE = {
  firstName: "text",
  lastName: "text",
  email: "email",
  dateOfBirth: "date",
  nationality: "country",
  passport: { fields: { number: "text", expiresOn: "date", issuingCountry: "country" } },
  loyaltyNumber: "text",
  metadata: "pairs",
  // Religion and health may show in it.
  preferences: { fields: { meal: "meal" } },
} as const satisfies Readonly<Record<string, Places>>;

/** Replaces a word by the one that stands for erased ones. */
export const erase: MapWord = (_, kind) => ERASED_WORDS[kind];

/** The places of words in a saved passenger. */
export const PROFILE_WORDS: Places = { fields: PROFILE };

/** A booking without its personal words. */
export function eraseBooking<Booking>(booking: Booking): Booking {
  return mapWords(BOOKING_WORDS, booking, erase) as Booking;
}

/** A profile without its personal words. */
export function eraseProfile<Profile>(profile: Profile): Profile {
  return mapWords(PROFILE_WORDS, profile, erase) as Profile;
}

type EventType = (AccountEvent | BookingEvent | LoyaltyEvent | PassengerEvent)["type"];

/**
 * All personal words of all events (docs/privacy.md). An event that is not listed has none. Stored data has its words
 * in this order, so a field keeps its place, and a new one comes last.
 */
const EVENTS: Readonly<Partial<Record<EventType, Readonly<Record<string, Places>>>>> = {
  BookingCreated: { passengers: PARTY, reference: "text", metadata: "pairs" },
  BookingChanged: { passengers: PARTY, reference: "text", metadata: "pairs" },
  BookingCancelled: { reason: "text" },
  PaymentStarted: { metadata: "pairs" },
  DocumentUploaded: { fileName: "text" },
  DocumentVerified: { zoneName: "text", read: READ },
  DocumentLeftToOperator: { zoneName: "text", read: READ },
  DocumentRejected: { reason: "text", read: READ },
  PassengerCreated: PROFILE,
  PassengerChanged: { changes: PROFILE_WORDS },
  AccountOpened: { name: "text" },
  CredentialIssued: { name: "text" },
  PointsAdjusted: { reason: "text" },
  TransferReversed: { reason: "text" },
  NoteAdded: { text: "text" },
  BookingPassengerErased: { words: "kinds" },
  BookingDocumentsErased: { words: "kinds" },
};

/** Whether an event of this type says the words that are left of its booking, whose keys of before are destroyed. */
export function saysWordsLeft(type: string): boolean {
  return type === "BookingPassengerErased" || type === "BookingDocumentsErased";
}

/** The places of words in the JSON of the API. No two resources use one name for different things. */
export const ANSWER_WORDS: Places = {
  fields: {
    ...PROFILE,
    metadata: "values",
    passengers: PARTY,
    reference: "text",
    documents: { each: "text" },
  },
};

/** The places of words in a document of a booking. */
const DOCUMENT: Places = {
  fields: {
    fileName: "text",
    rejectionReason: "text",
    zoneName: "text",
    read: READ,
    holders: { each: { fields: { name: "text", zoneName: "text" } } },
  },
};

/** The places of words in the state of a booking. */
export const BOOKING_WORDS: Places = {
  fields: {
    passengers: PARTY,
    reference: "text",
    reason: "text",
    payments: { each: { fields: { metadata: "pairs", reversed: { each: { fields: { reason: "text" } } } } } },
    documents: { each: DOCUMENT },
    metadata: "pairs",
  },
};

type WithDocuments = Pick<ExistingBooking, "passengers" | "documents">;

/**
 * The words of a booking that are left when its documents are forgotten, or one of its party, in the order of the table. Of documents
 * only those are left then that are certainly others'.
 */
export function wordsWithout<Booking extends WithDocuments>(
  booking: Booking,
  forgotten: number | "documents",
): KindOfWord[] {
  const words: KindOfWord[] = [];
  const passengers = booking.passengers.map((one, index) =>
    index === forgotten ? (mapWords(PASSENGER, one, erase) as BookingPassenger) : one,
  );
  const forget = (one: TravelDocument) => {
    const gone = mapWords(DOCUMENT, one, erase) as TravelDocument;
    // A holder who was verified stays so, under the name that is left in the party.
    const holders = gone.holders.map((holder, at) => {
      const [before, after] = [booking.passengers[holder.passenger], passengers[holder.passenger]];
      const isTheirs = before !== undefined && samePersonName(one.holders[at]?.name ?? "", before.name);
      return isTheirs ? { ...holder, name: after?.name ?? holder.name } : holder;
    });
    return { ...gone, holders };
  };
  const left = {
    ...booking,
    passengers,
    documents: booking.documents.map((one) =>
      forgotten !== "documents" && isOfOthers(one, forgotten) ? one : forget(one),
    ),
  };
  mapWords(BOOKING_WORDS, left, (word, kind) => {
    words.push([kind, word]);
    return word;
  });
  return words;
}

/** Whether a document is of others of the party, and of nobody else. */
export function isOfOthers({ holders }: Pick<TravelDocument, "holders">, passenger: number): boolean {
  return holders.length > 0 && holders.every((holder) => holder.passenger !== passenger);
}

/** A booking with all its words replaced by these, which are in the order of the table. */
export function withWords<Booking>(booking: Booking, words: readonly KindOfWord[]): Booking {
  let next = 0;
  return mapWords(BOOKING_WORDS, booking, (_, kind) => words[next++]?.[1] ?? ERASED_WORDS[kind]) as Booking;
}

/** Maps one word to something else. */
export type MapWord = (word: string, kind: WordKind) => unknown;

/** The data of an event with every personal word mapped; the same object if it has none. */
export function mapWordsOfEvent<Data>(type: string, data: Data, map: MapWord): Data {
  const fields = EVENTS[type as EventType];
  return fields === undefined ? data : (mapWords({ fields }, data, map) as Data);
}

const CATEGORIES: ReadonlySet<string> = new Set(["booking", "passenger", "account", "loyalty"]);

/**
 * The data subject of a stream, whose key seals its personal words: the id of its booking, saved passenger or account.
 * Undefined if the stream has no personal words.
 */
export function subjectOfStream(stream: string): string | undefined {
  const end = stream.indexOf("-");
  return CATEGORIES.has(stream.slice(0, end)) ? stream.slice(end + 1) : undefined;
}

/** A JSON value with every personal word mapped, in the order of the table. */
export function mapWords(places: Places, value: unknown, map: MapWord): unknown {
  if (value === undefined || value === null) return value;
  if (places === "pairs") {
    return (value as [string, string][]).map(([key, word]) => [key, mapText(word, "text", map)]);
  }
  if (places === "values") {
    const pairs = Object.entries(value as Record<string, string>);
    return Object.fromEntries(pairs.map(([key, word]) => [key, mapText(word, "text", map)]));
  }
  if (places === "byType") {
    const [type, data, ...rest] = value as readonly [string, unknown, ...unknown[]];
    return [type, mapWordsOfEvent(type, data, map), ...rest];
  }
  if (places === "kinds") {
    return (value as readonly KindOfWord[]).map(([kind, word]) => [kind, mapText(word, kind, map)]);
  }
  if (typeof places === "string") return typeof value === "string" ? mapText(value, places, map) : value;
  if ("each" in places) return (value as readonly unknown[]).map((item) => mapWords(places.each, item, map));
  let mapped: Record<string, unknown> | undefined;
  for (const field in places.fields) {
    const present = (value as Record<string, unknown>)[field];
    if (present === undefined || present === null) continue;
    mapped ??= { ...value };
    mapped[field] = mapWords(places.fields[field] as Places, present, map);
  }
  return mapped ?? value;
}

/** An empty text reveals nothing. */
function mapText(text: string, kind: WordKind, map: MapWord): unknown {
  return text === "" ? text : map(text, kind);
}
