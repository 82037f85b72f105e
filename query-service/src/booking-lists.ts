import { type BookingBody, type BookingListQuery, bookingBody } from "@travel-booking/api-contract";
import { canonicalEmail, ERASED_WORDS } from "@travel-booking/domain";
import { bookingCodeOf } from "@travel-booking/domain/boarding-pass";
import { type Body, MAX_PAGE_CHARACTERS, type PageItem, parseBody } from "@travel-booking/engines/read-store";
import {
  BOOKING_WORD,
  BOOKINGS,
  type BookingClues,
  boundsOfBookings,
  findCurrentBooking,
  jsonOwnedBy,
} from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { onlyWanted, type ReadEntries, type ReadEntry } from "./only-wanted.ts";
import { freshEntries, freshJson, type RecomputeBody } from "./reading.ts";

const { booking, clues } = BOOKINGS;

type BookingFilter = Omit<BookingListQuery, "limit" | "cursor">;

/** The JSON of a booking of this account at a time, from what happened to it. */
export function recompute(accountId: string): RecomputeBody {
  return async (models, bookingId, now) => {
    const current = await findCurrentBooking(models, accountId, bookingId, now);
    return current && JSON.stringify(bookingBody(current));
  };
}

/** Reads the bookings of an account that pass a filter, newest first. To be made anew for each answer. */
export async function bookingsOf(
  dependencies: QueryDependencies,
  accountId: string,
  filter: BookingFilter,
): Promise<ReadEntries<ReadEntry>> {
  const { models, progress } = dependencies;
  const period = { from: filter.createdAfter, before: filter.createdBefore };
  const list = {
    partition: accountId,
    order: "descending",
    ...(await boundsOfBookings(models, accountId, period, progress.positionOf(BOOKINGS.projection) + 1n)),
  } as const;
  const readAll: ReadEntries<ReadEntry> = async (range) => {
    const items = await models.page(booking.model, { ...list, index: booking.byAccount, ...range });
    const own = items.map((item) => ({ ...item, json: jsonOwnedBy(accountId, item.json) ?? item.json }));
    return freshEntries(dependencies, own, recompute(accountId));
  };
  const isWanted = ({ json }: { readonly json: string }) => matches(JSON.parse(json), filter);
  const mayMatch = await clueOf(dependencies, accountId, filter);
  if (mayMatch !== undefined) {
    const readFound: ReadEntries<ReadEntry> = async (range) => {
      const items = await models.page(clues.model, { ...list, index: clues.byAccount, ...range });
      return readThose(dependencies, accountId, items, mayMatch);
    };
    return onlyWanted(readFound, isWanted);
  }
  const isAnyWanted = Object.values(filter).every((value) => value === undefined);
  return isAnyWanted ? readAll : onlyWanted(readAll, isWanted);
}

type MayMatch = (bookingId: string, clues: BookingClues) => boolean;

/** Tells without its JSON of most bookings that they don't pass the filter; undefined: it can of none. */
async function clueOf(
  { words }: QueryDependencies,
  accountId: string,
  { passCode, flightId, departsAfter, departsBefore, reference, email }: BookingFilter,
): Promise<MayMatch | undefined> {
  const wanted = [passCode, flightId, departsAfter, departsBefore, reference, email];
  if (wanted.every((value) => value === undefined)) return undefined;
  const sought = [
    ...(reference === undefined ? [] : [BOOKING_WORD.reference(reference)]),
    ...(email === undefined ? [] : [BOOKING_WORD.email(email)]),
  ];
  const keys = await Promise.all(sought.map((word) => words.keys.wordKey(accountId, word)));
  const names = keys.filter((name) => name !== undefined);
  return (bookingId, [flight, departsAt, _createdAt, ...named]) =>
    (flightId === undefined || flight === flightId) &&
    (departsAfter === undefined || departsAt >= departsAfter) &&
    (departsBefore === undefined || departsAt < departsBefore) &&
    names.every((name) => named.includes(name)) &&
    (passCode === undefined || bookingCodeOf(bookingId) === passCode);
}

/** Those bookings of a page of clues that may be wanted; the others have a place in the list, too. */
async function readThose(
  dependencies: QueryDependencies,
  accountId: string,
  items: readonly PageItem[],
  mayMatch: MayMatch,
): Promise<readonly ReadEntry[]> {
  const entries: ReadEntry[] = [];
  let characters = 0;
  for (const item of items) {
    const { key, sort } = item;
    const body = mayMatch(key, parseBody<BookingClues>(item))
      ? await dependencies.models.body(booking.model, key)
      : undefined;
    const size = (item.size ?? 0) + (body?.size ?? 0);
    characters += size;
    const isFull = characters >= MAX_PAGE_CHARACTERS;
    entries.push({
      sort,
      json: await ownJson(dependencies, accountId, key, body),
      size,
      ...(isFull && { more: true }),
    });
    if (isFull) break;
  }
  return entries;
}

async function ownJson(
  dependencies: QueryDependencies,
  accountId: string,
  bookingId: string,
  body: Body | undefined,
): Promise<string | null> {
  const json = body && jsonOwnedBy(accountId, body.json);
  if (body === undefined || json === undefined) return null;
  return freshJson(dependencies, bookingId, { ...body, json }, recompute(accountId));
}

/** What the clues have told for certain is not looked at again. */
function matches(shown: BookingBody, { status, createdAfter, createdBefore, ...words }: BookingFilter): boolean {
  const at = Date.parse(shown.createdAt);
  return (
    (status === undefined || shown.status === status) &&
    (createdAfter === undefined || at > createdAfter) &&
    (createdBefore === undefined || at < createdBefore) &&
    hasWords(shown, words)
  );
}

/** What stands for erased words is no word to find a booking by. */
function hasWords({ reference, passengers }: BookingBody, wanted: Pick<BookingFilter, "reference" | "email">): boolean {
  if (wanted.reference === ERASED_WORDS.text) return false;
  if (wanted.reference !== undefined && reference !== wanted.reference) return false;
  if (wanted.email === undefined) return true;
  const email = canonicalEmail(wanted.email);
  if (email === ERASED_WORDS.email) return false;
  return passengers.some((passenger) => canonicalEmail(passenger.email) === email);
}
