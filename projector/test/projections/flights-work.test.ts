import { expect, test } from "@jest/globals";
import { NOTHING_SEEN } from "@travel-booking/engines/event-store";
import type { Generation } from "@travel-booking/engines/read-store";
import { FLIGHTS } from "@travel-booking/read-models";
import { ProjectionFold } from "../../src/projection-fold.ts";
import { flights } from "../../src/projections/flights.ts";
import { neverFull } from "../kit/never-full.ts";
import { asRecorded, type GivenEvent } from "./kit/deliver.ts";
import { allocated, held, onFlight, released, scheduled } from "./kit/flight-history.ts";
import { InMemoryDocuments } from "./kit/in-memory-documents.ts";

/** Counts the documents that are read. */
class CountedDocuments extends InMemoryDocuments {
  read = 0;

  override documentsOf(generation: Generation, model: string, keys: readonly string[]) {
    this.read += keys.length;
    return super.documentsOf(generation, model, keys);
  }
}

/** A booking that chooses its seats, with its hold, and is released again. */
const visit = (number: number): readonly GivenEvent[] => [
  held("F", `hld_new_${number}`, ["10A"]),
  allocated("F", `bkg_new_${number}`, { seats: ["10A"], holdId: `hld_new_${number}` }),
  onFlight("F", {
    type: "SeatChangeReserved",
    at: 1,
    data: { bookingId: `bkg_new_${number}`, changeId: "chg_1", seats: ["11A"], surcharges: [], holdId: null },
  }),
  onFlight("F", { type: "SeatChangeApplied", at: 1, data: { bookingId: `bkg_new_${number}`, changeId: "chg_1" } }),
  released("F", `bkg_new_${number}`),
];

/** What ten visits cost, each event a batch of a fold that knows nothing yet: documents read, written, and their size. */
async function workOn(bookings: number) {
  const others = Array.from({ length: bookings }, (_, number) => allocated("F", `bkg_${number}`));
  const visits = Array.from({ length: 10 }, (_, number) => visit(number)).flat();
  const events = asRecorded([scheduled("F"), ...others, ...visits]);
  const documents = new CountedDocuments();
  let mark = NOTHING_SEEN;
  let writes = 0;
  let characters = 0;
  for (const batch of [events.slice(0, bookings + 1), ...events.slice(bookings + 1).map((event) => [event])]) {
    const fold = new ProjectionFold(documents, flights, { projection: FLIGHTS.projection, generation: 1 }, mark);
    await fold.fold(batch, neverFull);
    const taken = fold.takeBatch();
    documents.write(taken.writes);
    fold.markWritten(taken);
    mark = fold.checkpoint;
    if (batch.length > 1) {
      documents.read = 0;
      continue;
    }
    writes += taken.writes.length;
    for (const write of taken.writes) {
      if (write.kind === "put") characters += `${write.document.body}${JSON.stringify(write.document.state)}`.length;
    }
  }
  return { read: documents.read, writes, characters };
}

test("an event reads and writes as much on a flight with 100,000 bookings as on one with 1,000", async () => {
  const few = await workOn(1_000);
  const many = await workOn(100_000);
  // Body and state name the number of passengers, which has two digits more.
  expect(many.read).toBe(few.read);
  expect(many.writes).toBe(few.writes);
  expect(few).toMatchObject({ read: 10 * 14, writes: 10 * 11 });
  expect(many.characters - few.characters).toBe(10 * 5 * 4);
});
