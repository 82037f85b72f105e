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
 * Where personal words stand in a value: the kind of a text; the `fields` of an object that have some; `each` item of a
 * list; the second of each of the `pairs` of metadata, or in its JSON form its `values`. What changes apart from the rest is
 * a unit of its own: each item of a list, and the fields of an object that is told `apart`.
 */
type Places =
  | WordKind
  | "pairs"
  | "values"
  | { readonly each: Places }
  | { readonly fields: Readonly<Record<string, Places>> }
  | { readonly apart: Readonly<Record<string, Places>> };

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

const erase: MapWord = (_, kind) => ERASED_WORDS[kind];

/** A booking as it is without its personal words. */
export function eraseBooking<Booking>(booking: Booking): Booking {
  return mapWords(BOOKING, booking, erase) as Booking;
}

/** A profile as it is without its personal words. */
export function eraseProfile<Profile>(profile: Profile): Profile {
  return mapWords({ fields: PROFILE }, profile, erase) as Profile;
}

type EventType = (AccountEvent | BookingEvent | LoyaltyEvent | PassengerEvent)["type"];

/** All personal words of all events (docs/privacy.md). An event that is not here has none. */
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
  PassengerChanged: { changes: { apart: PROFILE } },
  AccountOpened: { name: "text" },
  CredentialIssued: { name: "text" },
  PointsAdjusted: { reason: "text" },
};

/** The same for the JSON of the API: no two resources give one name to different things. */
const ANSWERS: Places = {
  apart: {
    ...PROFILE,
    metadata: "values",
    passengers: PARTY,
    reference: "text",
    documents: { each: "text" },
  },
};

/** The same for the state of a booking. */
const BOOKING: Places = {
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

/** Makes something else of one word. @param leads it is the first of its unit; the others are never without it. */
export type MapWord = (word: string, kind: WordKind, leads: boolean) => string;

/** The data of an event with every personal word of it mapped; the same object where it has none. */
export function mapWordsOfEvent<Data>(type: string, data: Data, map: MapWord): Data {
  const fields = EVENTS[type as EventType];
  return fields === undefined ? data : (mapWords({ apart: fields }, data, map) as Data);
}

/** The body of an answer, a booking, a payment or a saved passenger, with every personal word of it mapped. */
export function mapWordsOfAnswer(body: unknown, map: MapWord): unknown {
  return mapWords(ANSWERS, body, map);
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

/** What of a unit was mapped already. */
interface Unit {
  isLed: boolean;
}

function mapWords(places: Places, value: unknown, map: MapWord, unit: Unit = { isLed: false }): unknown {
  if (value === undefined || value === null) return value;
  if (places === "pairs") {
    return (value as [string, string][]).map(([key, word]) => [key, mapText(word, "text", map, unit)]);
  }
  if (places === "values") {
    const pairs = Object.entries(value as Record<string, string>);
    return Object.fromEntries(pairs.map(([key, word]) => [key, mapText(word, "text", map, unit)]));
  }
  if (typeof places === "string") return typeof value === "string" ? mapText(value, places, map, unit) : value;
  if ("each" in places) return (value as readonly unknown[]).map((item) => mapWords(places.each, item, map));
  const fields = "apart" in places ? places.apart : places.fields;
  let mapped: Record<string, unknown> | undefined;
  for (const field in fields) {
    const present = (value as Record<string, unknown>)[field];
    if (present === undefined || present === null) continue;
    mapped ??= { ...value };
    mapped[field] = mapWords(fields[field] as Places, present, map, "apart" in places ? { isLed: false } : unit);
  }
  return mapped ?? value;
}

/** An empty text tells nothing. */
function mapText(text: string, kind: WordKind, map: MapWord, unit: Unit): string {
  if (text === "") return text;
  const leads = !unit.isLed;
  unit.isLed = true;
  return map(text, kind, leads);
}
