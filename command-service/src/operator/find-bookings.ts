import { setImmediate } from "node:timers/promises";
import type { PageItem, ReadModels } from "@travel-booking/engines/read-store";
import { ACCOUNTS, ALL_PARTITION, BOOKINGS, type FoundBooking } from "@travel-booking/read-models";
import { listItems, type OperatorServices } from "./operator-services.ts";
import { transfersIn } from "./transfers.ts";

interface ShownBooking {
  readonly id: string;
  readonly status: string;
  readonly flightId: string;
  readonly passengers: readonly { readonly name: string }[];
  readonly reference?: string;
  readonly createdAt: string;
}

export type FindServices = Pick<OperatorServices, "models" | "store" | "waitUntilProjected">;

/** Bookings that are read at a time. */
const PAGE = 100;
/** At most so many bookings are found. */
const MOST = 50;

/**
 * The bookings in which a whole value is this word, in any case: the reference, a passenger's name or e-mail address, a
 * seat, the flight, the reference of a transfer. If none has it, bookings that had it, or that the request of this id
 * changed. All bookings are read, account by account, newest first. There is no index, because personal words are
 * sealed, and their index would have to be erased, too (docs/decisions/0056-a-search-reads-all-bookings.md).
 * @param closed aborted when no client waits for the answer any more.
 */
export async function findBookings(
  { models, store, waitUntilProjected }: FindServices,
  word: string,
  closed: AbortSignal,
): Promise<readonly FoundBooking[]> {
  await waitUntilProjected(await store.head());
  const has = wholeText(word);
  const paid = new Set((await transfersIn(models, word)).map(({ bookingId }) => bookingId));
  const { model } = BOOKINGS.booking;
  const now = await readAll(({ json }) => has(json));
  if (now.length > 0) return now;
  return readAll(async ({ key }) => has(JSON.stringify((await models.document(model, key))?.state ?? null)));

  async function readAll(isFound: (item: PageItem) => boolean | Promise<boolean>): Promise<readonly FoundBooking[]> {
    const found: FoundBooking[] = [];
    for await (const page of bookingPages(models, closed)) {
      const areFound = await Promise.all(page.map((item) => paid.has(item.key) || isFound(item)));
      found.push(...page.filter((_, index) => areFound[index]).map(({ json }) => shown(JSON.parse(json))));
      if (found.length >= MOST) return found.slice(0, MOST);
    }
    return found;
  }
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

/** Reads pages until the signal aborts. Requests get their turn after each page. */
async function* bookingPages(models: ReadModels, closed: AbortSignal): AsyncGenerator<readonly PageItem[]> {
  const { model, byAccount: index } = BOOKINGS.booking;
  const { account } = ACCOUNTS;
  for await (const { key: partition } of listItems(models, account.model, account.all, ALL_PARTITION)) {
    let page: readonly PageItem[];
    let after: string | undefined;
    do {
      if (closed.aborted) return;
      const range = { index, partition, order: "descending", limit: PAGE } as const;
      page = await models.page(model, after === undefined ? range : { ...range, after });
      yield page;
      after = page.at(-1)?.sort;
      await setImmediate();
    } while (page.length === PAGE || page.at(-1)?.more);
  }
}

function shown([accountId, booking]: readonly [string, ShownBooking]): FoundBooking {
  const { id, status, flightId, passengers, reference = null, createdAt } = booking;
  return { id, accountId, status, flightId, passengers: passengers.map(({ name }) => name), reference, createdAt };
}
