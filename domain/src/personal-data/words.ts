import type { AccountEvent } from "../account/events.ts";
import type { BookingEvent } from "../booking/events.ts";
import type { LoyaltyEvent } from "../loyalty/events.ts";
import type { PassengerEvent } from "../passenger/events.ts";

/** What stands where a personal word has been erased, by the kind of the word. Each has the shape of its field. */
export const ERASED_WORDS = {
  text: "[erased]",
  email: "erased@erased.invalid",
  /** No day of any person. */
  date: "0001-01-01",
  /** ISO 3166-1 leaves it to its users. */
  country: "XX",
  /** docs/rules.md#travel-preferences: the default. */
  meal: "standard",
} as const;

export type WordKind = keyof typeof ERASED_WORDS;

/**
 * Where personal words stand in a JSON value: the kind of a text; the `fields` of an object that have some; `each` item of a
 * list; the second of each of the `pairs` of metadata, or in its JSON form its `values`; the second of a list whose first is
 * the type of an event, `byType`.
 */
export type Places =
  | WordKind
  | "pairs"
  | "values"
  | "byType"
  | { readonly each: Places }
  | { readonly fields: Readonly<Record<string, Places>> };

const PARTY: Places = { each: { fields: { name: "text", email: "email" } } };

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
  // Religion and health show in it.
  preferences: { fields: { meal: "meal" } },
} as const satisfies Readonly<Record<string, Places>>;

/** What stands for a word that is erased. */
export const erase: MapWord = (_, kind) => ERASED_WORDS[kind];

/** Where a saved passenger has words. */
export const PROFILE_WORDS: Places = { fields: PROFILE };

/** A booking as it is without its personal words. */
export function eraseBooking<Booking>(booking: Booking): Booking {
  return mapWords(BOOKING_WORDS, booking, erase) as Booking;
}

/** A profile as it is without its personal words. */
export function eraseProfile<Profile>(profile: Profile): Profile {
  return mapWords(PROFILE_WORDS, profile, erase) as Profile;
}

type EventType = (AccountEvent | BookingEvent | LoyaltyEvent | PassengerEvent)["type"];

/**
 * All personal words of all events (docs/privacy.md). An event that is not here has none. What is stored has its words in this order: a
 * field keeps its place, and a new one comes last.
 */
const EVENTS: Readonly<Partial<Record<EventType, Readonly<Record<string, Places>>>>> = {
  BookingCreated: { passengers: PARTY, reference: "text" },
  BookingChanged: { passengers: PARTY, reference: "text" },
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
};

/** The same for the JSON of the API: no two resources give one name to different things. */
export const ANSWER_WORDS: Places = {
  fields: {
    ...PROFILE,
    metadata: "values",
    passengers: PARTY,
    reference: "text",
    documents: { each: "text" },
  },
};

/** The same for the state of a booking. */
export const BOOKING_WORDS: Places = {
  fields: {
    passengers: PARTY,
    reference: "text",
    reason: "text",
    payments: { each: { fields: { metadata: "pairs" } } },
    documents: {
      each: {
        fields: {
          fileName: "text",
          rejectionReason: "text",
          zoneName: "text",
          read: READ,
          holders: { each: { fields: { name: "text", zoneName: "text" } } },
        },
      },
    },
  },
};

/** Makes something else of one word. */
export type MapWord = (word: string, kind: WordKind) => unknown;

/** The data of an event with every personal word of it mapped; the same object where it has none. */
export function mapWordsOfEvent<Data>(type: string, data: Data, map: MapWord): Data {
  const fields = EVENTS[type as EventType];
  return fields === undefined ? data : (mapWords({ fields }, data, map) as Data);
}

const CATEGORIES: ReadonlySet<string> = new Set(["booking", "passenger", "account", "loyalty"]);

/**
 * Whose words a stream has: the id of its booking, saved passenger or account, under whose key they are sealed. Undefined:
 * it has none.
 */
export function subjectOfStream(stream: string): string | undefined {
  const end = stream.indexOf("-");
  return CATEGORIES.has(stream.slice(0, end)) ? stream.slice(end + 1) : undefined;
}

/** A JSON value with every personal word of it mapped, in the order of the table. */
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

/** An empty text tells nothing. */
function mapText(text: string, kind: WordKind, map: MapWord): unknown {
  return text === "" ? text : map(text, kind);
}
