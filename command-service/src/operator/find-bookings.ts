import { setImmediate } from "node:timers/promises";
import {
  ACCOUNTS,
  ALL_PARTITION,
  BOOKINGS,
  type FoundBooking,
  type TransferTarget,
  transferReferenceKey,
} from "@travel-booking/read-models";
import { listItems, type OperatorServices } from "./operator-services.ts";

interface ShownBooking {
  readonly id: string;
  readonly status: string;
  readonly flightId: string;
  readonly passengers: readonly { readonly name: string; readonly email: string }[];
  readonly seats: readonly string[];
  readonly reference?: string;
  readonly createdAt: string;
}

export type FindServices = Pick<OperatorServices, "models" | "words" | "store" | "waitUntilProjected">;

/** Read at a time. */
const PAGE = 100;
/** A word that more have is none to find one by. */
const MOST = 50;

/**
 * The bookings that have this word as a whole, whatever its case: the reference, a passenger's name or e-mail address, a seat, the
 * reference of a transfer. All are read, account by account, newest first: personal words are stored sealed, and an index of
 * them would have to be forgotten, too (docs/decisions/0056-a-search-reads-all-bookings.md).
 * @param closed aborted when nobody waits for the answer any more.
 */
export async function findBookings(
  { models, words, store, waitUntilProjected }: FindServices,
  word: string,
  closed: AbortSignal,
): Promise<readonly FoundBooking[]> {
  await waitUntilProjected(await store.head());
  const wanted = word.toLowerCase();
  const quoted = JSON.stringify(word).toLowerCase();
  const target = await models.document(BOOKINGS.transferReference.model, transferReferenceKey(word));
  const paid = (target?.state as TransferTarget | undefined)?.bookingId;
  const found: FoundBooking[] = [];
  const { model, byAccount } = BOOKINGS.booking;
  for (const { key: accountId } of await listItems(
    models,
    ACCOUNTS.account.model,
    ACCOUNTS.account.all,
    ALL_PARTITION,
  )) {
    let after: string | undefined;
    do {
      const page = await models.page(model, {
        index: byAccount,
        partition: accountId,
        order: "descending",
        limit: PAGE,
        ...(after !== undefined && { after }),
      });
      for (const { key, json } of page) {
        const text = await words.reveal(json);
        if (key !== paid && !text.toLowerCase().includes(quoted)) continue;
        const [owner, booking] = JSON.parse(text) as [string, ShownBooking];
        if (key === paid || wordsOn(booking).includes(wanted)) found.push(shown(owner, booking));
        if (found.length === MOST) return found;
      }
      after = page.length < PAGE ? undefined : page.at(-1)?.sort;
      // Requests get their turn.
      await setImmediate();
    } while (after !== undefined && !closed.aborted);
  }
  return found;
}

/** What it is found by, in small letters. */
function wordsOn({ id, passengers, seats, reference = "" }: ShownBooking): readonly string[] {
  const ofParty = passengers.flatMap(({ name, email }) => [name, email]);
  return [id, reference, ...ofParty, ...seats].map((word) => word.toLowerCase());
}

function shown(accountId: string, booking: ShownBooking): FoundBooking {
  const { id, status, flightId, passengers, reference = null, createdAt } = booking;
  return { id, accountId, status, flightId, passengers: passengers.map(({ name }) => name), reference, createdAt };
}
