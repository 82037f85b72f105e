import { beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingEvent } from "@travel-booking/domain";
import { NOTHING_SEEN, type RecordedEvent } from "@travel-booking/engines/event-store";
import {
  BOOKINGS,
  EVENTS,
  findBookingPast,
  jsonOfEvents,
  parseEventStub,
  revisionSortKey,
} from "@travel-booking/read-models";
import { ProjectionFold } from "../../src/projection-fold.ts";
import { bookings } from "../../src/projections/bookings/bookings.ts";
import { neverFull } from "../kit/never-full.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
  cardStarted,
  confirmed,
  created,
  ofBooking,
  T0,
} from "./kit/booking-history.ts";
import { asRecorded } from "./kit/deliver.ts";
import { InMemoryDocuments } from "./kit/in-memory-documents.ts";

const changed: EventOfLife = (index) => {
  return { type: "BookingChanged", at: T0 + (index + 1) * 1_000, data: { changeId: null, reference: `r${index}` } };
};
/** Charges that the history does not show. */
const withdrawn: EventOfLife = (index) => {
  const at = T0 + (index + 1) * 1_000;
  return index % 2 === 0 ? cardStarted(at) : { type: "PaymentWithdrawn", at, data: { paymentId: CARD_PAYMENT } };
};
type EventOfLife = (index: number) => BookingEvent;

/** A life of so many events, a second apart: by default each changes the booking. */
function lifeOf(count: number, eventOf = changed, ...last: readonly BookingEvent[]): readonly RecordedEvent[] {
  const events = Array.from({ length: count - 1 - last.length }, (_, index) => eventOf(index));
  return asRecorded(ofBooking([created(), ...events, ...last]));
}

interface Written {
  readonly documents: InMemoryDocuments;
  /** Characters of documents, per event, written event by event at the end of the life. */
  readonly charactersPerEvent: number;
}

const LAST = 128;

async function write(events: readonly RecordedEvent[]): Promise<Written> {
  const documents = new InMemoryDocuments();
  const fold = new ProjectionFold(documents, bookings, { projection: bookings.name, generation: 1 }, NOTHING_SEEN);
  let characters = 0;
  const end = events.length - LAST;
  for (const batch of [events.slice(0, end), ...events.slice(end).map((event) => [event])]) {
    await fold.fold(batch, neverFull);
    const taken = fold.takeBatch();
    if (batch.length === 1) characters += sizeOf(taken.writes);
    documents.write(taken.writes);
    fold.markWritten(taken);
  }
  return { documents, charactersPerEvent: characters / LAST };
}

function sizeOf(writes: unknown): number {
  return JSON.stringify(writes, (_, value) => (typeof value === "bigint" ? String(value) : value)).length;
}

const SHORT = 1_000;
const LONG = 100_000;

async function pastOf(documents: InMemoryDocuments) {
  const past = await findBookingPast(documents, ACCOUNT, BOOKING);
  if (past === undefined) throw new Error("there is no booking");
  return past;
}

describe("a booking's life of a hundred thousand events", () => {
  let short: Written;
  let long: Written;
  beforeAll(async () => {
    short = await write(lifeOf(SHORT));
    long = await write(lifeOf(LONG));
  }, 120_000);

  test("costs as much to continue as one of a thousand", () => {
    // Longer numbers, not more of them.
    expect(long.charactersPerEvent).toBeLessThan(short.charactersPerEvent * 1.05);
  });

  /** Documents read by the same question to both. */
  async function reads(ask: (documents: InMemoryDocuments, count: number) => Promise<unknown>) {
    const counts: number[] = [];
    for (const [{ documents }, count] of [[short, SHORT] as const, [long, LONG] as const]) {
      documents.reads = 0;
      await ask(documents, count);
      counts.push(documents.reads);
    }
    return counts;
  }

  test.each([0, 0.5, 0.99])("a page of its history reads as much, at %d of it", async (where) => {
    const counts = await reads(async (documents, count) => {
      const after = revisionSortKey(Math.floor(count * where));
      const { entries } = await (await pastOf(documents)).history({ limit: 20, after });
      expect(entries.length).toBe(Math.min(20, count - 1 - Math.floor(count * where)));
    });
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
  });

  test("a version reads one segment", async () => {
    const counts = await reads(async (documents, count) => {
      const json = await (await pastOf(documents)).jsonAsOf(T0 + count * 500 + 1);
      expect(JSON.parse(json ?? "{}").reference).toBe(`r${count / 2 - 1}`);
    });
    expect(counts).toStrictEqual([2, 2]);
  });

  test.each(["ascending", "descending"] as const)("a page of its events reads as much, %s", async (order) => {
    const counts = await reads(async (documents) => {
      const { entries } = await (await pastOf(documents)).events({ order, limit: 20 }, () => true);
      expect(entries.length).toBe(20);
    });
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
  });

  test("events of the account read the segments they are in", async () => {
    const counts = await reads(async (documents) => {
      const page = { index: EVENTS.event.byAccount, partition: ACCOUNT, order: "ascending", limit: 20 } as const;
      const items = await documents.page(EVENTS.event.model, page);
      documents.reads = 0;
      const { json } = await jsonOfEvents(
        documents,
        items.map((item) => parseEventStub(item.key, item)),
      );
      expect(json.every((event) => event !== undefined)).toBe(true);
    });
    expect(counts).toStrictEqual([2, 2]);
  });

  test("is in segments of 64 events", () => {
    expect(long.documents.all(BOOKINGS.segment.model).length).toBe(Math.ceil(LONG / 64) - 1);
  });
});

describe("a page ends where long looking finds nothing for it", () => {
  const COUNTS = [2_000, 4_000];
  type Past = Awaited<ReturnType<typeof pastOf>>;
  interface FoundPart {
    readonly entries: readonly { readonly sort: string }[];
    readonly next?: string;
  }

  /** How many entries all pages have together, how many pages have none, and the most documents that one reads. */
  async function walk(life: readonly RecordedEvent[], read: (past: Past, after?: string) => Promise<FoundPart>) {
    const { documents } = await write(life);
    const past = await pastOf(documents);
    const walked = { found: 0, inVain: 0, mostReads: 0 };
    for (let after: string | undefined; ; ) {
      documents.reads = 0;
      const { entries, next } = await read(past, after);
      walked.found += entries.length;
      walked.mostReads = Math.max(walked.mostReads, documents.reads);
      if (next === undefined) return walked;
      expect(entries).toStrictEqual([]);
      walked.inVain += 1;
      after = next;
    }
  }

  async function expectBounded(read: (count: number) => ReturnType<typeof walk>): Promise<void> {
    for (const count of COUNTS) {
      const { found, inVain, mostReads } = await read(count);
      expect([found, mostReads <= 18]).toStrictEqual([1, true]);
      expect(inVain).toBeGreaterThanOrEqual(Math.floor(count / 64 / 16));
    }
  }

  test("oldest events first", () =>
    expectBounded((count) =>
      walk(lifeOf(count, changed, confirmed(T0 + count * 1_000)), (past, after) => {
        const range = { order: "ascending", limit: 20, ...(after !== undefined && { after }) } as const;
        return past.events(range, ({ type }) => type === "booking.confirmed");
      }),
    ));

  test("newest events first", () =>
    expectBounded((count) =>
      walk(lifeOf(count), (past, after) => {
        const range = { order: "descending", limit: 20, ...(after !== undefined && { after }) } as const;
        return past.events(range, ({ at }) => at === T0 + 1_000);
      }),
    ));

  test("a history", () =>
    expectBounded((count) =>
      walk(lifeOf(count, withdrawn, confirmed(T0 + count * 1_000)), async (past, after = revisionSortKey(0)) =>
        past.history({ limit: 20, after }),
      ),
    ));
});
