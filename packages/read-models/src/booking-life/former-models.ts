import { type BookingState, isExistingBooking } from "@travel-booking/domain";
import type { PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import { BOOKINGS } from "../bookings.ts";
import { EVENTS, parseEventStub } from "../events.ts";
import { ownedKey, timeSortKey } from "../keys.ts";
import type { BookingPast } from "./booking-past.ts";

/**
 * The models of the release before this one, which had a document for each answer. They are read after an upgrade, until
 * the projector has built the present ones.
 */
const FORMER = {
  /** `{ booking }`, by booking id. */
  state: { model: "bookings.state" },
  history: { model: "bookings.history", byBooking: "byBooking" },
  version: { model: "bookings.version", byTime: "byTime" },
  event: { model: EVENTS.event.model, byBooking: "byBooking" },
} as const;

/** More than a booking has. */
const MOST_EVENTS = 10_000;

export async function formerBooking(
  models: Pick<ReadModels, "document">,
  accountId: string,
  bookingId: string,
): Promise<BookingState | undefined> {
  const document = await models.document(FORMER.state.model, bookingId);
  const booking = (document?.state as { readonly booking: BookingState } | undefined)?.booking;
  return booking !== undefined && isExistingBooking(booking) && booking.accountId === accountId ? booking : undefined;
}

export async function formerPast(
  models: Pick<ReadModels, "body" | "page">,
  accountId: string,
  bookingId: string,
): Promise<BookingPast | undefined> {
  const partition = ownedKey(accountId, bookingId);
  if ((await models.body(BOOKINGS.booking.model, partition)) === undefined) return undefined;
  return {
    history(range) {
      const { model, byBooking: index } = FORMER.history;
      return models.page(model, { index, partition, order: "ascending", ...range });
    },
    async jsonAsOf(moment) {
      const { model, byTime: index } = FORMER.version;
      const before = timeSortKey(moment + 1);
      const [version] = await models.page(model, { index, partition, order: "descending", limit: 1, before });
      return version?.json;
    },
    async events(range, isWanted) {
      const { model, byBooking: index } = FORMER.event;
      const all: PageRequest = { index, partition, ...range, limit: MOST_EVENTS };
      const events = (await models.page(model, all)).map((item) => ({
        ...parseEventStub(item.key, item),
        sort: item.sort,
        json: () => item.json,
      }));
      return events.filter(isWanted).slice(0, range.limit);
    },
  };
}
