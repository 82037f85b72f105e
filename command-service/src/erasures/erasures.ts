import {
  type BookingState,
  bookingDecider,
  documentsOf,
  type Instant,
  isExistingBooking,
  isOfOthers,
  type Rejection,
  type TravelDocument,
} from "@travel-booking/domain";
import { AppendRefused } from "@travel-booking/engines/event-store";
import type { Leases } from "@travel-booking/engines/leases";
import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { BOOKINGS } from "@travel-booking/read-models";
import { Mutex } from "@travel-booking/runtime/real-time";
import { type CommandContext, systemContext, TOO_LARGE } from "../command-handling/command.ts";
import { countWords, readAll } from "../command-handling/sealed-event-store.ts";
import { listItems, type OperatorServices } from "../operator/operator-services.ts";
import { OwnedStreams } from "../operator/owned-streams.ts";
import { accountStream, bookingStream, passengerStream } from "../streams.ts";
import { removeEndpointsOf } from "../webhook-endpoints.ts";

const SPACE = "erasures";
/** Processes that share their stores erase one after another. */
const LEASE = "erasures";
const NEVER = new AbortController().signal;

/** The kinds of things that can be erased. */
export const ERASABLE = ["passenger", "booking", "account"] as const;
type ErasableKind = (typeof ERASABLE)[number];

/** Names what is to be erased. Of a booking perhaps only one `passenger` of its party, by a 0-based index, or its `documents`. */
export interface Erasure {
  readonly kind: ErasableKind;
  readonly id: string;
  readonly passenger?: number | undefined;
  readonly documents?: true | undefined;
}

/**
 * By `keyOf`. `erasedAt` is null until the whole erasure is done. `whom`: until then, the name it must be, as only the account's
 * key can tell it. Former records have no id.
 */
interface ErasureRecord extends Omit<Erasure, "id"> {
  readonly id?: string;
  readonly erasedAt: Instant | null;
  readonly whom?: string;
}

/** What of a booking is erased alone. Undefined: all of it. */
const partOf = ({ passenger, documents }: Erasure) => (documents === true ? "documents" : passenger);
const keyOf = (erasure: Erasure) => {
  const part = partOf(erasure);
  return part === undefined ? erasure.id : `${erasure.id}/${part}`;
};

/**
 * `again`: a refusal is ignored, because this is an older copy of erased data. `name`: whom of a party it must be; `whom`: the same,
 * of an erasure that broke off.
 */
interface How extends Pick<Partial<ErasureRecord>, "whom"> {
  readonly again?: boolean;
  readonly name?: string | undefined;
}

/** What an erasure of a part leaves, since nobody can tell whom a free text is about. */
const FREE_TEXTS = "the booking's reference, reasons and metadata, which may name whom they please";
const PLAIN_EVENTS = "events with plain words: a former release stored them, and a log never changes";

/** What an erasure removed, and what it left. */
export interface ErasureReport extends Erasure {
  /** Milliseconds since the epoch. */
  readonly erasedAt: Instant;
  readonly stores: {
    /** Events whose words are erased, and events that were stored before words were sealed. */
    readonly eventLog: { readonly erased: number; readonly plain: number };
    /** Uploaded files that were removed. */
    readonly files: number;
    /** Endpoints that were deleted, with their pending deliveries. */
    readonly webhookEndpoints: number;
  };
  /** What remains for now, or for good, and why. */
  readonly left: readonly string[];
}

type Forgotten = Omit<ErasureReport["stores"], "eventLog"> & { readonly position: bigint };

/**
 * Erases people's data (docs/privacy.md#erasing). An erasure is put on a list first, and every step can be repeated. So
 * it is finished after a crash, and done again on a restored backup.
 */
export class Erasures {
  readonly #services: OperatorServices;
  readonly #leases: Leases | undefined;
  readonly #turns = new Mutex();
  #hasPassedOver = false;

  /** @param leases undefined: no other process has these stores. */
  constructor(services: OperatorServices, leases?: Leases) {
    this.#services = services;
    this.#leases = leases;
  }

  /**
   * @param name of the one of a party who is meant. It is not stored.
   * @returns a rejection if the thing must not be erased yet, does not exist, has another name, or leaves more of others than
   * one event may have.
   * @throws OperatorError traces of the key could not be removed now, so the erasure must be repeated.
   */
  async erase(
    erasure: Erasure,
    context: CommandContext,
    name?: string,
  ): Promise<{ readonly report: ErasureReport; readonly position: bigint } | Rejection> {
    const forgotten = await this.#inTurn((held) => this.#forget(erasure, context, { name }, held));
    if ("code" in forgotten) return forgotten;
    const keyLeft = await this.#services.removeTracesOfKeys();
    const erasedAt = await this.#finish(erasure);
    const { position, ...removed } = forgotten;
    const eventLog = await this.#countEvents(erasure);
    const { plain } = eventLog;
    const left = [keyLeft];
    if (plain > 0) left.push(`${plain} ${PLAIN_EVENTS}`);
    if (partOf(erasure) !== undefined && !(await this.#isErasedWhole(erasure.id))) left.push(FREE_TEXTS);
    return { report: { ...erasure, erasedAt, stores: { eventLog, ...removed }, left }, position };
  }

  /**
   * Erases several in one turn, without a report. What must not be erased yet is left out, and what fails is passed over.
   * @throws OperatorError as `erase`; EngineUnavailable; the reason of `signal`. What is begun then is left to `restore`.
   */
  async eraseAll(erasures: readonly Erasure[], context: CommandContext, signal = NEVER): Promise<void> {
    if (erasures.length === 0) return;
    await this.#conclude(await this.#inTurn((held) => this.#forgetAll(erasures, context, {}, held), signal, true));
  }

  /**
   * Finishes erasures that a crash or an error interrupted, and repeats these in an older copy. What fails is passed over.
   * @throws OperatorError as `erase`; all of them read as erased nevertheless. EngineUnavailable; the reason of `signal`.
   */
  async restore(erasures: readonly Erasure[] = [], signal = NEVER): Promise<void> {
    const context = systemContext(this.#services);
    this.#hasPassedOver = false;
    const forgotten: Erasure[] = [];
    await this.#inTurn(async (held) => {
      for (const { erasedAt, whom, ...erasure } of await this.list())
        if (erasedAt === null)
          forgotten.push(...(await this.#forgetAll([erasure], context, { ...(whom && { whom }) }, held)));
      forgotten.push(...(await this.#forgetAll(erasures, context, { again: true }, held)));
    }, signal);
    await this.#conclude(forgotten);
  }

  /** Whether any was passed over since the last `restore`. It is told, and stays on the list. */
  get hasPassedOver(): boolean {
    return this.#hasPassedOver;
  }

  /** Runs work while no erasure is under way: a copy of the stores must not have what one took apart without what it put there. */
  whileNothingIsErased<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#turns.runExclusive(work);
  }

  /** Returns those that may be erased, and were. One that fails by itself must not hold up the others. */
  async #forgetAll(
    erasures: readonly Erasure[],
    context: CommandContext,
    how: How,
    held: AbortSignal,
  ): Promise<readonly Erasure[]> {
    const { ids, logger } = this.#services;
    const forgotten: Erasure[] = [];
    for (const erasure of erasures) {
      try {
        const outcome = await this.#forget(erasure, { ...context, commandId: ids.next() }, how, held);
        if (!("code" in outcome)) forgotten.push(erasure);
        else if (outcome.code === TOO_LARGE)
          logger.error(erasure, "an erasure is refused: what is left is too large for the log");
      } catch (error) {
        if (error instanceof EngineUnavailable || held.aborted) throw error;
        this.#hasPassedOver = true;
        this.#services.logger.error(
          { err: error, ...erasure },
          "an erasure can't be finished, and is tried again later",
        );
      }
    }
    return forgotten;
  }

  async #conclude(forgotten: readonly Erasure[]): Promise<void> {
    if (forgotten.length === 0) return;
    await this.#services.removeTracesOfKeys();
    for (const erasure of forgotten) await this.#finish(erasure);
  }

  /**
   * Erasures take turns: one seals files under a key that another one of the same party would erase. `held` aborts where another
   * process may take its turn.
   */
  #inTurn<Result>(
    work: (held: AbortSignal) => Promise<Result>,
    signal: AbortSignal = NEVER,
    givesWay = false,
  ): Promise<Result> {
    return this.#turns.runExclusive(() => this.#leases?.runOnce(LEASE, work, { signal, givesWay }) ?? work(signal));
  }

  /** Every step but the last. */
  async #forget(
    erasure: Erasure,
    context: CommandContext,
    how: How,
    held: AbortSignal,
  ): Promise<Forgotten | Rejection> {
    held.throwIfAborted();
    const { state, store, words, handler, clock, ids, reachedFaultPoint } = this.#services;
    const { kind, id, passenger } = erasure;
    const part = partOf(erasure);
    const { again = false, whom = how.name && (await this.#nameKey(id, how.name)) } = how;
    const name = how.name ?? (whom && (await this.#nameAt(erasure, whom)));
    if (how.name !== undefined) {
      // Who has another name does not take the place of an erasure that broke off.
      const command = { type: "EraseBooking", again, passenger, name } as const;
      const reply = (state: BookingState) => bookingDecider.decide(command, state, clock.now()).rejection;
      const rejection = await handler.readState({ ...bookingStream(id), reply });
      if (rejection !== undefined) return rejection;
    }
    const known = await state.get<ErasureRecord>(SPACE, keyOf(erasure));
    const isDone = known !== undefined && known.value.erasedAt !== null;
    const begun = { ...erasure, ...(whom && { whom }), erasedAt: null };
    if (!isDone) await state.put<ErasureRecord>(SPACE, keyOf(erasure), begun);
    reachedFaultPoint("erasure:begun");
    const recorded = await this.#record(erasure, context, { again, name }).catch((error: unknown) => {
      // Nothing is recorded, and never will be, so it is no erasure that broke off.
      if (!(error instanceof AppendRefused) || again) throw error;
      return { accepted: false, rejection: { code: TOO_LARGE }, position: 0n } as const;
    });
    if (!recorded.accepted && !again) {
      if (!isDone) await state.remove(SPACE, keyOf(erasure));
      return recorded.rejection;
    }
    reachedFaultPoint("erasure:recorded");
    const newContext = () => ({ ...context, commandId: ids.next(), causationId: context.commandId });
    const webhookEndpoints = kind === "account" ? await removeEndpointsOf(this.#services, id, newContext) : 0;
    let files = 0;
    for await (const bookingId of this.#bookingsOf(erasure)) files += await this.#removeFiles(bookingId, part, held);
    reachedFaultPoint("erasure:files");
    const keyIds = kind === "booking" ? [...(await store.keyIdsIn(bookingStream(id).stream))] : [id];
    // The newest key is that of what is left of the booking.
    for (const keyId of keyIds.slice(0, part === undefined ? undefined : -1)) {
      held.throwIfAborted();
      await words.keys.erase(keyId);
    }
    reachedFaultPoint("erasure:key");
    // An erased account gives its bookings no event, so their folded states must be forgotten here.
    if (kind === "account") handler.forgetStreams();
    return { files, webhookEndpoints, position: recorded.position };
  }

  /** Notes that the erasure is done. Returns when it was first done. */
  async #finish(erasure: Erasure): Promise<Instant> {
    const { state, clock } = this.#services;
    const record = await state.get<ErasureRecord>(SPACE, keyOf(erasure));
    const erasedAt = record?.value.erasedAt ?? clock.now();
    await state.put<ErasureRecord>(SPACE, keyOf(erasure), { ...erasure, erasedAt });
    return erasedAt;
  }

  list(): Promise<readonly (Erasure & ErasureRecord)[]> {
    return readErasureRecords(this.#services.state);
  }

  #record({ kind, id, passenger, documents }: Erasure, context: CommandContext, { again = false, name }: How) {
    const { handler } = this.#services;
    const reply = () => undefined;
    switch (kind) {
      case "passenger": {
        const command = { type: "ErasePassenger" } as const;
        return handler.execute({ ...passengerStream(id), command, context, reply });
      }
      case "booking": {
        const command = { type: "EraseBooking", again, passenger, name, documents } as const;
        return handler.execute({ ...bookingStream(id), command, context, reply });
      }
      case "account": {
        const command = { type: "EraseAccount" } as const;
        return handler.execute({ ...accountStream(id), command, context, reply });
      }
    }
  }

  /** The bookings to erase, from read models that show every acknowledged write. */
  async *#bookingsOf({ kind, id }: Erasure): AsyncGenerator<string> {
    if (kind === "booking") yield id;
    if (kind !== "account") return;
    const { models, store, waitUntilProjected } = this.#services;
    await waitUntilProjected(await store.head());
    const { model, byAccount } = BOOKINGS.booking;
    for await (const { key } of listItems(models, model, byAccount, id)) yield key;
  }

  /** @param part of one of a party: files that are certainly of others stay, under the booking's newest key. */
  async #removeFiles(bookingId: string, part: ReturnType<typeof partOf>, held: AbortSignal): Promise<number> {
    const { handler, documents } = this.#services;
    const uploaded = await handler.readState({
      ...bookingStream(bookingId),
      reply: (state) => {
        const isKept = (one: TravelDocument) => typeof part === "number" && isOfOthers(one, part);
        return documentsOf(state).map((one) => ({ uploadId: one.uploadId, bookingId, isKept: isKept(one) }));
      },
    });
    for (const { isKept, ...file } of uploaded) {
      held.throwIfAborted();
      if (isKept) await this.#sealAnew(file);
      else await documents.uploads.discard(file.uploadId);
    }
    return uploaded.filter(({ isKept }) => !isKept).length;
  }

  /** A file that can't be opened any more is told and left as it is: it must not keep a key that has to go. */
  async #sealAnew(file: { readonly uploadId: string; readonly bookingId: string }): Promise<void> {
    const { documents, logger } = this.#services;
    await documents.uploads.sealAnew(file).catch((error: unknown) => {
      if (error instanceof EngineUnavailable) throw error;
      logger.error({ err: error, ...file }, "a file of others is damaged, and can't be opened any more");
    });
  }

  /** The name at a place of a party if it is still the one that was meant; else one that nobody has. */
  async #nameAt({ id, passenger = 0 }: Erasure, whom: string): Promise<string> {
    const reply = (state: BookingState) => isExistingBooking(state) && state.passengers[passenger]?.name;
    const name = (await this.#services.handler.readState({ ...bookingStream(id), reply })) || "";
    return (await this.#nameKey(id, name)) === whom ? name : "";
  }

  async #nameKey(id: string, name: string): Promise<string> {
    const { handler, words } = this.#services;
    const reply = (state: BookingState) => (isExistingBooking(state) ? state.accountId : undefined);
    const accountId = await handler.readState({ ...bookingStream(id), reply });
    return accountId === undefined ? "" : words.keys.requestKey(accountId, name);
  }

  #isErasedWhole(bookingId: string): Promise<boolean> {
    const { handler } = this.#services;
    const reply = (state: BookingState) => isExistingBooking(state) && state.erased === true;
    return handler.readState({ ...bookingStream(bookingId), reply });
  }

  /** Counts the events of an account in the whole log, because read models have no deleted profiles. */
  async #countEvents({ kind, id }: Erasure): Promise<ErasureReport["stores"]["eventLog"]> {
    const { store } = this.#services;
    const owned = new OwnedStreams(id);
    const { sealed, plain } =
      kind === "account"
        ? await countWords(readAll(store.asStored), (event) => owned.has(event))
        : await countWords([await store.readStream((kind === "booking" ? bookingStream : passengerStream)(id).stream)]);
    return { erased: sealed, plain };
  }
}

/** @throws StateStoreUnavailable */
export async function readErasureRecords(state: StateStore): Promise<readonly (Erasure & ErasureRecord)[]> {
  const records = await Array.fromAsync(scanPrefix<ErasureRecord>(state, SPACE, ""));
  return records.map(({ key: id, value }) => ({ ...value, id: value.id ?? id }));
}
