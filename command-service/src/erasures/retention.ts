import { DAY, type Instant, isExistingBooking, isSettled, SECOND } from "@travel-booking/domain";
import type { PageItem } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  BOOKINGS,
  type KeptKind,
  type KeptRow,
  PASSENGERS,
  timeSortKey,
} from "@travel-booking/read-models";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import { systemContext } from "../command-handling/command.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import { bookingStream } from "../streams.ts";
import type { Erasure, Erasures } from "./erasures.ts";

const SPACE = "retention";
/** Between a setting that takes more than the one before, and the first erasure. */
const WARNED_FOR = DAY;
/** Real time. */
const LOOK_EVERY_MS = 10 * 60_000;
/** Erased together, because the file of keys is written anew once for all of them. */
const AT_ONCE = 100;
const MOST_COUNTED = 100_000;

interface Kind {
  readonly kind: KeptKind;
  /** The projection that makes the list. */
  readonly projection: string;
  readonly list: { readonly model: string; readonly oldest: string };
  readonly erasureOf: (id: string) => Erasure;
}

/** A booking that is erased as a whole has no documents to erase any more, so these come later. */
const KINDS: readonly Kind[] = [
  {
    ...{ kind: "bookings", projection: BOOKINGS.projection, list: BOOKINGS.over },
    erasureOf: (id) => ({ kind: "booking", id }),
  },
  {
    ...{ kind: "documents", projection: BOOKINGS.projection, list: BOOKINGS.overDocuments },
    erasureOf: (id) => ({ kind: "booking", id, documents: true }),
  },
  {
    ...{ kind: "passengers", projection: PASSENGERS.projection, list: PASSENGERS.kept },
    erasureOf: (id) => ({ kind: "passenger", id }),
  },
];

/** What was set last, in seconds, and from when on it counts. */
interface Announced {
  readonly seconds: number;
  readonly from: Instant;
}

interface Kept {
  readonly id: string;
  /** When its booking was flown or cancelled, or it was last used. */
  readonly since: Instant;
  readonly sort: string;
}

interface RetentionOptions {
  readonly services: OperatorServices;
  readonly erasures: Erasures;
  /** In seconds. Undefined: nothing of this kind is erased. */
  readonly keptFor: Readonly<Record<KeptKind, number | undefined>>;
}

/** Erases people a while after their journey is over, or they were last used (docs/privacy.md#keeping-no-more-than-needed). */
export class Retention {
  readonly #services: OperatorServices;
  readonly #keptFor: RetentionOptions["keptFor"];
  readonly #erasures: Erasures;

  constructor({ services, erasures, keptFor }: RetentionOptions) {
    this.#services = services;
    this.#keptFor = keptFor;
    this.#erasures = erasures;
  }

  /**
   * Looks for what is due until the signal aborts. What a look or another process left half erased is finished first, because
   * it is off the list by then.
   * @param mayBegin false: nothing may be written now.
   */
  async runUntil(mayBegin: () => boolean, signal: AbortSignal): Promise<void> {
    let isAnyLeft = true;
    for (; !signal.aborted; await backgroundPause(LOOK_EVERY_MS, signal)) {
      if (!mayBegin()) continue;
      try {
        if (isAnyLeft || this.#erasures.hasPassedOver) await this.#erasures.restore([], signal);
        isAnyLeft = true;
        await this.runDue(signal);
        isAnyLeft = false;
      } catch (error) {
        if (!signal.aborted) this.#services.logger.warn({ err: error }, "what is due can't be erased and will be soon");
      }
    }
  }

  /** Erases what is due, a page at a time. */
  async runDue(signal?: AbortSignal): Promise<void> {
    for (const kind of KINDS) await this.#runDueOf(kind, signal);
  }

  async #runDueOf({ kind, projection, list, erasureOf }: Kind, signal: AbortSignal | undefined): Promise<void> {
    const { clock, logger, store, waitUntilProjected } = this.#services;
    const announced = await this.#announce(kind, list);
    if (announced === undefined || clock.now() < announced.from) return;
    // What was erased just before is off the list. Nothing else is waited for: it might be behind for long.
    await waitUntilProjected(await store.head(), [projection]);
    const before = timeSortKey(clock.now() - announced.seconds * SECOND + 1);
    let erased = 0;
    let after: string | undefined;
    while (signal?.aborted !== true) {
      const page = await this.#page(list, { before, ...(after !== undefined && { after }) });
      const due: Erasure[] = [];
      for (const { id } of page) if (!(await this.#waits(erasureOf(id)))) due.push(erasureOf(id));
      await this.#erasures.eraseAll(due, systemContext(this.#services), signal);
      erased += due.length;
      after = page.at(-1)?.sort;
      if (page.length < AT_ONCE) break;
    }
    if (erased > 0) logger.info({ [kind]: erased }, "what was kept long enough is erased");
  }

  /** What is held of each kind. */
  async report(): Promise<readonly KeptRow[]> {
    const rows: KeptRow[] = [];
    for (const kind of KINDS) rows.push(await this.#reportOf(kind));
    return rows;
  }

  async #reportOf({ kind, list, erasureOf }: Kind): Promise<KeptRow> {
    const announced = await this.#announce(kind, list);
    const page = await this.#page(list, {});
    const seconds = this.#keptFor[kind];
    const keptFor = (seconds ?? 0) * SECOND;
    const due = (since: Instant) => Math.max(since + keptFor, announced?.from ?? 0);
    const all = { index: list.oldest, partition: ALL_PARTITION, limit: MOST_COUNTED };
    return {
      kind,
      held: await this.#services.models.count(list.model, all),
      oldest: page[0] === undefined ? null : shown(page[0].since),
      keptForDays: seconds === undefined ? null : keptFor / DAY,
      from: announced === undefined ? null : shown(announced.from),
      next: await Promise.all(
        (announced === undefined ? [] : page).map(async ({ id, since }) => {
          return { id, since: shown(since), due: shown(due(since)), waits: await this.#waits(erasureOf(id)) };
        }),
      ),
    };
  }

  /** Remembers the setting. One that takes more than that of before counts a day later, so that somebody may see what it takes. */
  async #announce(kind: KeptKind, { model }: Kind["list"]): Promise<Announced | undefined> {
    const { state, clock } = this.#services;
    const seconds = this.#keptFor[kind];
    const known = (await state.get<Announced>(SPACE, model))?.value;
    if (seconds === undefined) {
      if (known !== undefined) await state.remove(SPACE, model);
      return undefined;
    }
    if (known?.seconds === seconds) return known;
    const from = known !== undefined && seconds > known.seconds ? known.from : clock.now() + WARNED_FOR;
    await state.put<Announced>(SPACE, model, { seconds, from });
    return { seconds, from };
  }

  async #page(
    { model, oldest }: Kind["list"],
    range: { readonly before?: string; readonly after?: string },
  ): Promise<readonly Kept[]> {
    const request = { index: oldest, partition: ALL_PARTITION, order: "ascending", limit: AT_ONCE } as const;
    const items = await this.#services.models.page(model, { ...request, ...range });
    return items.map(({ key, sort }: PageItem) => ({ id: key, sort, since: Number.parseInt(sort, 10) }));
  }

  /** Whether somebody may still need to know who travelled. */
  async #waits({ kind, id }: Erasure): Promise<boolean> {
    if (kind !== "booking") return false;
    const reply = (booking: Parameters<typeof isExistingBooking>[0]) =>
      isExistingBooking(booking) && !isSettled(booking);
    return this.#services.handler.readState({ ...bookingStream(id), reply });
  }
}

const shown = (at: Instant) => new Date(at).toISOString();
