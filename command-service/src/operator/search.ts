import { setImmediate } from "node:timers/promises";
import type { BookingBody, PassengerProfileBody } from "@travel-booking/api-contract";
import { type PageItem, parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { OperatorError, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import {
  ACCOUNTS,
  type AccountRow,
  ALL_PARTITION,
  BOOKINGS,
  type CredentialRow,
  FLIGHTS,
  type Found,
  type FoundBooking,
  type FoundRow,
  idOfOwnedKey,
  PASSENGERS,
} from "@travel-booking/read-models";
import { listItems, type OperatorServices } from "./operator-services.ts";
import { transfersIn } from "./transfers.ts";

type SearchServices = Pick<OperatorServices, "models" | "store" | "waitUntilProjected">;

/** Documents that are read at a time. */
const PAGE = 100;
/** At most so many are found. */
const MOST = 50;
/** At most so many bookings and profiles are looked through: half a minute. */
const MOST_READ = 1_000_000;

/** `find`, `booking find` */
export function searchRoutes(services: SearchServices): readonly OperatorRoute[] {
  const { waitUntilProjected, store } = services;
  const looking = (
    path: string,
    look: (services: SearchServices, word: string, closed: AbortSignal) => Promise<unknown>,
  ) =>
    operatorRoute("GET", path, async ({ query: { word = "" }, closed }) => {
      if (word.trim() === "") throw new OperatorError(400, "word takes what is to be found");
      await waitUntilProjected(await store.head());
      return look(services, word.trim(), closed);
    });
  return [
    looking("/operator/search", search),
    looking("/operator/bookings", async ({ models }, word, closed) => {
      const found = new Search<FoundBooking>(models, await accountsIn(models), closed);
      await throughBookings(found, word, (booking) => booking);
      return found.answer();
    }),
  ];
}

/**
 * What has a word that begins like this: a flight by its id, accounts, credentials, saved passengers and bookings, by names, e-mail addresses,
 * references, flights, seats and file names. All is read, account by account, newest first. There is no index, because personal words are
 * sealed, and their index would have to be erased, too (docs/decisions/0056-a-search-reads-all-bookings.md).
 * @param closed aborted when no client waits for the answer any more.
 */
async function search({ models }: SearchServices, word: string, closed: AbortSignal): Promise<Found<FoundRow>> {
  const begins = beginning(word);
  const accounts = await accountsIn(models);
  const search = new Search<FoundRow>(models, accounts, closed);
  const { found } = search;
  const flight = await models.body(FLIGHTS.flight.model, word);
  if (flight !== undefined)
    found.push({
      ...{ kind: "flight", id: word, name: word, accountId: null },
      status: null,
      about: null,
      createdAt: null,
    });
  for (const { id, name, status } of accounts)
    if (begins(id, name))
      found.push({ kind: "account", id, name, accountId: id, status, about: null, createdAt: null });
  const { model, all } = ACCOUNTS.credential;
  for await (const item of listItems(models, model, all, ALL_PARTITION)) {
    const { id, name, accountId, status, kind: about, clientId, prefix, createdAt } = parseBody<CredentialRow>(item);
    if (begins(id, name, clientId, prefix)) found.push({ kind: "key", id, name, accountId, status, about, createdAt });
  }
  await search.through(PASSENGERS.passenger, (item, accountId) => {
    const { firstName, lastName, email, loyaltyNumber, createdAt } = parseBody<PassengerProfileBody>(item);
    const name = `${firstName} ${lastName}`;
    const id = idOfOwnedKey(item.key);
    if (!begins(id, name, email, loyaltyNumber)) return undefined;
    return { kind: "passenger", id, name, accountId, status: null, about: email, createdAt };
  });
  await throughBookings(search, word, ({ flightId, passengers, reference, ...row }): FoundRow => {
    const about = reference === null ? flightId : `${flightId}, ${reference}`;
    return { kind: "booking", ...row, name: passengers.join(", "), about };
  });
  return search.answer();
}

/** Adds bookings with a word that begins like this; if nothing is found, those that had it, or that the request of this id changed. */
async function throughBookings<Row>(search: Search<Row>, word: string, rowOf: (booking: FoundBooking) => Row) {
  const { models } = search;
  const begins = beginning(word);
  const paid = new Set((await transfersIn(models, word)).map(({ bookingId }) => bookingId));
  await search.through(BOOKINGS.booking, ({ key, json }) => {
    // Most have the word nowhere, and need not be taken apart.
    const [, booking] = paid.has(key) || has(json, word) ? (JSON.parse(json) as Owned) : [null, null];
    if (booking === null || !(paid.has(key) || begins(...wordsOf(booking)))) return undefined;
    return rowOf(foundBooking(json));
  });
  if (search.found.length > 0) return;
  const had = wholeText(word);
  await search.through(BOOKINGS.booking, async ({ key, json }) => {
    const life = JSON.stringify((await models.document(BOOKINGS.booking.model, key))?.state ?? null);
    return had(life) ? rowOf(foundBooking(json)) : undefined;
  });
}

/** Looks through what accounts have until enough is found, or read. */
class Search<Row> {
  readonly models: ReadModels;
  readonly found: Row[] = [];
  readonly #accounts: readonly AccountRow[];
  readonly #closed: AbortSignal;
  #read = 0;

  constructor(models: ReadModels, accounts: readonly AccountRow[], closed: AbortSignal) {
    this.models = models;
    this.#accounts = accounts;
    this.#closed = closed;
  }

  async through(
    list: ListOfAccounts,
    look: (item: PageItem, accountId: string) => Row | undefined | Promise<Row | undefined>,
  ): Promise<void> {
    for (const { id } of this.#accounts)
      for await (const page of pagesOf(this.models, list, id)) {
        if (this.#closed.aborted || this.found.length >= MOST || this.#read >= MOST_READ) return;
        this.#read += page.length;
        for (const row of await Promise.all(page.map((item) => look(item, id))))
          if (row !== undefined) this.found.push(row);
      }
  }

  answer(): Found<Row> {
    return { data: this.found.slice(0, MOST), isAll: this.found.length < MOST && this.#read < MOST_READ };
  }
}

export function accountsIn(models: Pick<ReadModels, "page">): Promise<readonly AccountRow[]> {
  const { model, all } = ACCOUNTS.account;
  return Array.fromAsync(listItems(models, model, all, ALL_PARTITION), (item) => parseBody<AccountRow>(item));
}

type Owned = readonly [accountId: string, booking: BookingBody];

function wordsOf({ id, passengers, reference, seats, flightId, documents }: BookingBody) {
  return [id, ...passengers.flatMap(({ name, email }) => [name, email]), reference, ...seats, flightId, ...documents];
}

function foundBooking(json: string): FoundBooking {
  const [accountId, { id, status, flightId, passengers, reference = null, createdAt }] = JSON.parse(json) as Owned;
  const names = passengers.map(({ name }) => name);
  return { id, accountId, status, flightId, passengers: names, reference, createdAt };
}

function has(json: string, word: string): boolean {
  return json.toLowerCase().includes(JSON.stringify(word.toLowerCase()).slice(1, -1));
}

/** Tests whether one of some texts has a word that begins like this, whatever its case. */
function beginning(word: string): (...texts: readonly (string | null | undefined)[]) => boolean {
  const wanted = word.toLowerCase();
  return (...texts) =>
    texts.some((each) => {
      const text = each?.toLowerCase() ?? "";
      let at = text.indexOf(wanted);
      while (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) at = text.indexOf(wanted, at + 1);
      return at >= 0;
    });
}

/** Tests whether a JSON text has a string equal to this word. Names of fields don't count. */
function wholeText(word: string): (json: string) => boolean {
  const quoted = JSON.stringify(word).toLowerCase();
  return (json) => {
    const text = json.toLowerCase();
    let at = text.indexOf(quoted);
    while (at >= 0 && text[at + quoted.length] === ":") at = text.indexOf(quoted, at + 1);
    return at >= 0;
  };
}

/** A list with a partition for each account. */
interface ListOfAccounts {
  readonly model: string;
  readonly byAccount: string;
}

/** The documents of an account, newest first. Requests get their turn after each page. */
export async function* pagesOf(
  models: ReadModels,
  { model, byAccount: index }: ListOfAccounts,
  partition: string,
): AsyncGenerator<readonly PageItem[]> {
  let page: readonly PageItem[];
  let after: string | undefined;
  do {
    const range = { index, partition, order: "descending", limit: PAGE } as const;
    page = await models.page(model, after === undefined ? range : { ...range, after });
    yield page;
    after = page.at(-1)?.sort;
    await setImmediate();
  } while (page.length === PAGE || page.at(-1)?.more);
}
