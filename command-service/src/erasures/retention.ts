import { DAY, type Instant, isExistingBooking, isSettled, SECOND } from "@travel-booking/domain";
import type { PageItem } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, BOOKINGS, type PrivacyReport, timeSortKey } from "@travel-booking/read-models";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import { systemContext } from "../command-handling/command.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import { bookingStream } from "../streams.ts";
import type { Erasures } from "./erasures.ts";

const SPACE = "retention";
const { over } = BOOKINGS;
/** Between a setting that takes more than the one before, and the first erasure. */
const WARNED_FOR = DAY;
/** Real time. */
const LOOK_EVERY_MS = 10 * 60_000;
/** Bookings that are erased together, because the file of keys is written anew once for all of them. */
const AT_ONCE = 100;
const MOST_COUNTED = 100_000;

/** What was set last, in seconds, and from when on it counts. */
interface Announced {
  readonly seconds: number;
  readonly from: Instant;
}

interface OverBooking {
  readonly id: string;
  /** When it was flown or cancelled. */
  readonly since: Instant;
  readonly sort: string;
}

interface RetentionOptions {
  readonly services: OperatorServices;
  readonly erasures: Erasures;
  /** Undefined: nothing is erased. */
  readonly seconds: number | undefined;
}

/** Erases the people of bookings a while after these are over (docs/privacy.md#keeping-no-more-than-needed). */
export class Retention {
  readonly #services: OperatorServices;
  readonly #seconds: number | undefined;
  readonly #erasures: Erasures;

  constructor({ services, erasures, seconds }: RetentionOptions) {
    this.#services = services;
    this.#seconds = seconds;
    this.#erasures = erasures;
  }

  /**
   * Looks for what is due until the signal aborts. What a look or another process left half erased is finished first, because
   * a booking is off the list by then.
   * @param mayBegin false: nothing may be written now.
   */
  async runUntil(mayBegin: () => boolean, signal: AbortSignal): Promise<void> {
    let isAnyLeft = true;
    for (; !signal.aborted; await backgroundPause(LOOK_EVERY_MS, signal)) {
      if (!mayBegin()) continue;
      try {
        if (isAnyLeft) await this.#erasures.restore();
        isAnyLeft = true;
        await this.runDue(signal);
        isAnyLeft = false;
      } catch (error) {
        if (!signal.aborted) this.#services.logger.warn({ err: error }, "what is due can't be erased and will be soon");
      }
    }
  }

  /** Erases what is due, a page at a time. Returns how many bookings. */
  async runDue(signal?: AbortSignal): Promise<number> {
    const { clock, logger } = this.#services;
    const announced = await this.#announce();
    if (announced === undefined || clock.now() < announced.from) return 0;
    const before = timeSortKey(clock.now() - announced.seconds * SECOND + 1);
    let erased = 0;
    let after: string | undefined;
    while (signal?.aborted !== true) {
      const page = await this.#page({ before, ...(after !== undefined && { after }) });
      const due: string[] = [];
      for (const { id } of page) if (!(await this.#waits(id))) due.push(id);
      await this.#erasures.eraseAll(
        due.map((id) => ({ kind: "booking", id })),
        systemContext(this.#services),
      );
      erased += due.length;
      after = page.at(-1)?.sort;
      if (page.length < AT_ONCE) break;
    }
    if (erased > 0) logger.info({ bookings: erased }, "the people of bookings that were kept long enough are erased");
    return erased;
  }

  async report(): Promise<PrivacyReport> {
    const { models } = this.#services;
    const announced = await this.#announce();
    const page = await this.#page({});
    const keptFor = (this.#seconds ?? 0) * SECOND;
    const due = (since: Instant) => Math.max(since + keptFor, announced?.from ?? 0);
    const next = announced === undefined ? [] : page;
    return {
      bookings: await models.count(over.model, { index: over.oldest, partition: ALL_PARTITION, limit: MOST_COUNTED }),
      oldest: page[0] === undefined ? null : shown(page[0].since),
      keptForDays: this.#seconds === undefined ? null : keptFor / DAY,
      from: announced === undefined ? null : shown(announced.from),
      next: await Promise.all(
        next.map(async ({ id, since }) => {
          return { id, over: shown(since), due: shown(due(since)), waits: await this.#waits(id) };
        }),
      ),
    };
  }

  /** Remembers the setting. One that takes more than that of before counts a day later, so that somebody may see what it takes. */
  async #announce(): Promise<Announced | undefined> {
    const { state, clock } = this.#services;
    const seconds = this.#seconds;
    const known = (await state.get<Announced>(SPACE, over.model))?.value;
    if (seconds === undefined) {
      if (known !== undefined) await state.remove(SPACE, over.model);
      return undefined;
    }
    if (known?.seconds === seconds) return known;
    const from = known !== undefined && seconds > known.seconds ? known.from : clock.now() + WARNED_FOR;
    await state.put<Announced>(SPACE, over.model, { seconds, from });
    return { seconds, from };
  }

  async #page(range: { readonly before?: string; readonly after?: string }): Promise<readonly OverBooking[]> {
    const request = { index: over.oldest, partition: ALL_PARTITION, order: "ascending", limit: AT_ONCE } as const;
    const items = await this.#services.models.page(over.model, { ...request, ...range });
    return items.map(({ key, sort }: PageItem) => ({ id: key, sort, since: Number.parseInt(sort, 10) }));
  }

  #waits(id: string): Promise<boolean> {
    const reply = (booking: Parameters<typeof isExistingBooking>[0]) =>
      isExistingBooking(booking) && !isSettled(booking);
    return this.#services.handler.readState({ ...bookingStream(id), reply });
  }
}

const shown = (at: Instant) => new Date(at).toISOString();
