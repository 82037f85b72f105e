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

/** `find` */
export function searchRoutes(services: SearchServices): readonly OperatorRoute[] {
  return [
    operatorRoute("GET", "/operator/search", async ({ query: { word = "" }, closed }) => {
      if (word.trim() === "") throw new OperatorError(400, "word takes what is to be found");
      return search(services, word.trim(), closed);
    }),
  ];
}

/**
 * What has a word that begins like this: a flight by its id, accounts, credentials, saved passengers and bookings, by names, e-mail addresses,
 * references, flights, seats and file names. If nothing has it, bookings that had it as a whole, or that the request of this
 * id changed. All is read, account by account, newest first. There is no index, because personal words are
 * sealed, and their index would have to be erased, too (docs/decisions/0056-a-search-reads-all-bookings.md).
 * @param closed aborted when no client waits for the answer any more.
 */
async function search(
  { models, store, waitUntilProjected }: SearchServices,
  word: string,
  closed: AbortSignal,
): Promise<Found> {
  await waitUntilProjected(await store.head());
  const begins = beginning(word);
  const paid = new Set((await transfersIn(models, word)).map(({ bookingId }) => bookingId));
  const found: FoundRow[] = [];
  const flight = await models.body(FLIGHTS.flight.model, word);
  if (flight !== undefined)
    found.push({
      ...{ kind: "flight", id: word, name: word, accountId: null },
      status: null,
      about: null,
      createdAt: null,
    });
  const accounts = await Array.fromAsync(
    listItems(models, ACCOUNTS.account.model, ACCOUNTS.account.all, ALL_PARTITION),
    (item) => parseBody<AccountRow>(item),
  );
  for (const { id, name, status } of accounts)
    if (begins(id, name))
      found.push({ kind: "account", id, name, accountId: id, status, about: null, createdAt: null });
  const { model, all } = ACCOUNTS.credential;
  for await (const item of listItems(models, model, all, ALL_PARTITION)) {
    const { id, name, accountId, status, kind: about, clientId, createdAt } = parseBody<CredentialRow>(item);
    if (begins(id, name, clientId)) found.push({ kind: "key", id, name, accountId, status, about, createdAt });
  }
  let read = 0;
  const lookThrough = async (
    list: ListOfAccounts,
    look: (item: PageItem, accountId: string) => FoundRow | undefined | Promise<FoundRow | undefined>,
  ) => {
    for (const { id } of accounts)
      for await (const page of pagesOf(models, list, id)) {
        if (closed.aborted || found.length >= MOST || read >= MOST_READ) return;
        read += page.length;
        for (const row of await Promise.all(page.map((item) => look(item, id)))) if (row !== undefined) found.push(row);
      }
  };
  await lookThrough(PASSENGERS.passenger, (item, accountId) => {
    const { firstName, lastName, email, loyaltyNumber, createdAt } = parseBody<PassengerProfileBody>(item);
    const name = `${firstName} ${lastName}`;
    const id = idOfOwnedKey(item.key);
    if (!begins(id, name, email, loyaltyNumber)) return undefined;
    return { kind: "passenger", id, name, accountId, status: null, about: email, createdAt };
  });
  await lookThrough(BOOKINGS.booking, ({ key, json }) => {
    // Most have the word nowhere, and need not be taken apart.
    const [, booking] = paid.has(key) || has(json, word) ? (JSON.parse(json) as Owned) : [null, null];
    if (booking === null || !(paid.has(key) || begins(...wordsOf(booking)))) return undefined;
    return rowOf(json);
  });
  const had = wholeText(word);
  if (found.length === 0)
    await lookThrough(BOOKINGS.booking, async ({ key, json }) => {
      const life = JSON.stringify((await models.document(BOOKINGS.booking.model, key))?.state ?? null);
      return had(life) ? rowOf(json) : undefined;
    });
  return { data: found.slice(0, MOST), isAll: found.length < MOST && read < MOST_READ };
}

type Owned = readonly [accountId: string, booking: BookingBody];

function wordsOf({ id, passengers, reference, seats, flightId, documents }: BookingBody) {
  return [id, ...passengers.flatMap(({ name, email }) => [name, email]), reference, ...seats, flightId, ...documents];
}

function rowOf(json: string): FoundRow {
  const [accountId, { id, status, flightId, passengers, reference, createdAt }] = JSON.parse(json) as Owned;
  const about = reference === undefined ? flightId : `${flightId}, ${reference}`;
  const name = passengers.map((passenger) => passenger.name).join(", ");
  return { kind: "booking", id, name, accountId, status, about, createdAt };
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
