import { expect, test } from "@jest/globals";
import { temporaryReadStore } from "@travel-booking/engines/read-store/testing";
import { BOOKINGS, ownedKey } from "@travel-booking/read-models";
import fc from "fast-check";
import { BOOKINGS as BEFORE } from "../reference/models.ts";
import { compareAnswers, compareOn, cuts, projectedBoth } from "./kit/against-reference.ts";
import { BOOKING } from "./kit/booking-history.ts";
import type { InMemoryDocuments } from "./kit/in-memory-documents.ts";
import { lives } from "./kit/random-lives.ts";

/** The booking's place in lists, and bank transfers and the review queue: the same documents. */
function compareRows(old: InMemoryDocuments, made: InMemoryDocuments): void {
  const rows = (documents: InMemoryDocuments, model: string) =>
    documents
      .all(model)
      .map(({ position: _, created: __, ...row }) => row)
      .sort((one, other) => (one.key < other.key ? -1 : 1));
  for (const { model } of [BOOKINGS.transfer, BOOKINGS.transferReference, BOOKINGS.document]) {
    expect(rows(made, model)).toStrictEqual(rows(old, model));
  }
  const [place] = made.all(BOOKINGS.booking.model);
  const key = place && Object.values(place.indexes)[0]?.partition;
  const former = old.all(BEFORE.booking.model).find((one) => one.key === ownedKey(key ?? "", BOOKING));
  expect(place?.indexes).toStrictEqual(former?.indexes);
}

test("whatever happens to a booking, and however the log is cut, all answers are the reference's", async () => {
  await fc.assert(
    fc.asyncProperty(lives, cuts, async (events, cut) => {
      const { old, made } = await projectedBoth(events, cut);
      compareRows(old, made);
      await compareAnswers(old, made, events);
    }),
    { numRuns: 100 },
  );
}, 120_000);

test("so they are from LMDB", async () => {
  const { store, close } = temporaryReadStore();
  try {
    await compareOn(store, 25);
  } finally {
    await close();
  }
}, 120_000);
