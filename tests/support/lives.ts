import { Client } from "../end-to-end/kit/client.ts";
import { Chance } from "../soak/load/chance.ts";
import { importFlights } from "./catalogue.ts";
import type { IssuedKey, OperatorClientResponse } from "./operator-caller.ts";
import { until } from "./until.ts";

/** Whatever lives are lived on. */
interface Target {
  readonly baseUrl: string;
  operator(method: string, path: string, body?: unknown): Promise<OperatorClientResponse>;
  newApiKey(): Promise<IssuedKey>;
}

export interface LivesOptions {
  /** The one that runs at the moment. */
  readonly target: () => Target;
  readonly random: () => number;
  readonly steps: number;
  /** Begins the ids of flights. */
  readonly flights: string;
  /** Erases what stands there; without it the same lives are lived, and nobody is erased. */
  readonly erase?: (path: string) => Promise<void>;
  /** Called at some point in the middle. */
  readonly halfway?: (lives: Lives) => Promise<void>;
}

interface Booking {
  readonly account: number;
  readonly id: string;
  readonly flightId: string;
  readonly words: string[];
  readonly emails: string[];
  /** Of the payment; undefined: it is not paid. */
  paymentId?: string;
  isCancelled: boolean;
  isErased: boolean;
}

interface Profile {
  readonly account: number;
  readonly id: string;
  readonly words: string[];
  isDeleted: boolean;
  isErased: boolean;
}

/** What there is, in the order it came to be. */
export interface Lives {
  readonly accounts: readonly IssuedKey[];
  readonly bookings: readonly Booking[];
  readonly profiles: readonly Profile[];
  /** One account is erased at the end. */
  readonly erasedAccount: number;
}

/** How many live: the last of them is erased as a whole. */
const ACCOUNTS = 3;

/** Lives random lives. What happens follows from `random` alone: others with the same are the same. */
export async function live({ target, random, steps, flights, erase, halfway }: LivesOptions): Promise<Lives> {
  const chance = new Chance(random);
  await importFlights(target(), [
    { id: `${flights}-1`, departsIn: 60 },
    { id: `${flights}-2`, departsIn: 90 },
  ]);
  const accounts: IssuedKey[] = [];
  while (accounts.length < ACCOUNTS) accounts.push(await target().newApiKey());
  const bookings: Booking[] = [];
  const profiles: Profile[] = [];
  let people = 0;
  let keys = 0;
  const word = (kind: string) => `${kind}-Suchwort-${++people}`;
  const call = async <Body = { id: string }>(account: number, method: string, path: string, body: unknown) => {
    const client = new Client(target().baseUrl, accounts[account] as IssuedKey);
    const answer = await client.send<Body>(method, path, { body, headers: { "Idempotency-Key": `key-${++keys}` } });
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const person = () => {
    const name = word("Näme");
    return { name, email: `${name.toLowerCase().replace("ä", "ae")}@suchwort.example` };
  };
  const perform: Readonly<Record<string, () => Promise<unknown>>> = {
    async book() {
      const account = chance.upTo(ACCOUNTS) - 1;
      const passengers = Array.from({ length: chance.upTo(3) }, person);
      const reference = word("Referenz");
      const flightId = `${flights}-${chance.upTo(2)}`;
      const order = { flightId, cabin: "economy", passengers, reference };
      const { id } = await call(account, "POST", "/v1/bookings", order);
      const [words, emails] = [
        [reference, ...passengers.map(({ name }) => name)],
        passengers.map(({ email }) => email),
      ];
      bookings.push({ account, id, flightId, words, emails, isCancelled: false, isErased: false });
    },
    async change() {
      const booking = chance.oneOf(bookings.filter(({ isCancelled }) => !isCancelled));
      if (booking === undefined) return;
      const reference = word("Referenz");
      booking.words.push(reference);
      await call(booking.account, "PATCH", `/v1/bookings/${booking.id}`, { reference });
    },
    async pay() {
      const booking = chance.oneOf(
        bookings.filter(({ isCancelled, paymentId }) => !isCancelled && paymentId === undefined),
      );
      if (booking === undefined) return;
      const order = word("Bestellung");
      booking.words.push(order);
      const payment = { type: "card", token: "tok_visa", metadata: { order } };
      booking.paymentId = (await call(booking.account, "POST", `/v1/bookings/${booking.id}/payments`, payment)).id;
    },
    async cancel() {
      const booking = chance.oneOf(bookings.filter(({ isCancelled }) => !isCancelled));
      if (booking === undefined) return;
      const reason = word("Grund");
      booking.words.push(reason);
      await call(booking.account, "POST", `/v1/bookings/${booking.id}/cancel`, { reason });
      booking.isCancelled = true;
      await until(() => isReturned(target(), booking));
    },
    async save() {
      const account = chance.upTo(ACCOUNTS) - 1;
      const { name, email } = person();
      const passport = { number: word("PASS"), expiresOn: "2040-01-01", issuingCountry: "DE" };
      const profile = {
        firstName: name,
        lastName: word("Nachname"),
        email,
        dateOfBirth: "1987-06-05",
        nationality: "DE",
      };
      const { id } = await call(account, "POST", "/v1/passengers", { ...profile, passport });
      profiles.push({
        account,
        id,
        words: [name, profile.lastName, email, passport.number],
        isDeleted: false,
        isErased: false,
      });
    },
    async rename() {
      const profile = chance.oneOf(profiles.filter(({ isDeleted, isErased }) => !isDeleted && !isErased));
      if (profile === undefined) return;
      const lastName = word("Nachname");
      profile.words.push(lastName);
      await call(profile.account, "PATCH", `/v1/passengers/${profile.id}`, { lastName });
    },
    /** Erased ones, too: whoever is erased may be deleted before or after. */
    async deleteProfile() {
      const profile = chance.oneOf(profiles.filter(({ isDeleted }) => !isDeleted));
      if (profile === undefined) return;
      profile.isDeleted = true;
      await call(profile.account, "DELETE", `/v1/passengers/${profile.id}`, undefined);
    },
    async eraseBooking() {
      const booking = chance.oneOf(bookings.filter(({ isCancelled, isErased }) => isCancelled && !isErased));
      if (booking === undefined) return;
      booking.isErased = true;
      await erase?.(`/bookings/${booking.id}/erase`);
    },
    async eraseProfile() {
      const profile = chance.oneOf(profiles.filter(({ isErased }) => !isErased));
      if (profile === undefined) return;
      profile.isErased = true;
      await erase?.(`/passengers/${profile.id}/erase`);
    },
  };
  const lives = { accounts, bookings, profiles, erasedAccount: ACCOUNTS - 1 };
  for (let step = 0; step < steps; step += 1) {
    if (step === Math.floor(steps / 2)) await halfway?.(lives);
    const name = chance.weighted<string>([
      [5, "book"],
      [2, "change"],
      [3, "pay"],
      [3, "cancel"],
      [2, "save"],
      [1, "rename"],
      [1, "deleteProfile"],
      [2, "eraseBooking"],
      [1, "eraseProfile"],
    ]);
    await perform[name]?.();
  }
  await erase?.(`/accounts/${accounts[lives.erasedAccount]?.accountId}/erase`);
  for (const each of [...bookings, ...profiles]) if (each.account === lives.erasedAccount) each.isErased = true;
  return lives;
}

/** Whether a cancelled booking's seats and money are back: the answer may leave both to what is due. */
async function isReturned(target: Target, { id, flightId }: Booking): Promise<boolean> {
  const eventsOf = async (stream: string) =>
    (await target.operator("GET", `/streams/${stream}`)).body as readonly {
      type: string;
      data: { bookingId?: string };
    }[];
  const [flight, booking] = await Promise.all([eventsOf(`flight-${flightId}`), eventsOf(`booking-${id}`)]);
  const count = (type: string) => booking.filter((event) => event.type === type).length;
  const isReleased = flight.some(({ type, data }) => type === "AllocationReleased" && data.bookingId === id);
  return isReleased && count("RefundStarted") === count("RefundSucceeded");
}

/** All words of those who were erased. */
export function erasedWords({ bookings, profiles }: Lives): readonly string[] {
  const erased = <Item extends Booking | Profile>(items: readonly Item[]) => items.filter(({ isErased }) => isErased);
  return [
    ...erased(bookings).flatMap(({ words, emails }) => [...words, ...emails]),
    ...erased(profiles).flatMap(({ words }) => words),
  ];
}

/**
 * All that there is to be seen of lives: seats, bookings with their history, payments and events, points, profiles, and
 * the bookings of all accounts as an operator has them. Ids and moments are counted in the order they appear, so the same
 * lives lived elsewhere show the same. @param forgetting what is erased there is erased in what is shown.
 */
export async function shownOf(target: Target, lives: Lives, flights: string, forgetting?: Lives): Promise<unknown> {
  // Its answer waits until the read models show everything, also what other accounts did.
  await target.operator("GET", "/documents");
  const shown: unknown[] = [];
  const living = lives.accounts.filter((_, account) => account !== lives.erasedAccount);
  for (const [account, credential] of living.entries()) {
    const client = new Client(target.baseUrl, credential);
    const get = async (path: string) => {
      const { status, body } = await client.get<Record<string, unknown>>(path);
      return { status, ...body, page: undefined };
    };
    for (const number of [1, 2]) shown.push(await get(`/v1/flights/${flights}-${number}`));
    for (const [index, { account: owner, id, paymentId }] of lives.bookings.entries()) {
      if (owner !== account) continue;
      const paths = [`/v1/bookings/${id}`, `/v1/bookings/${id}/history`];
      if (paymentId !== undefined) paths.push(`/v1/payments/${paymentId}`);
      const answers = await Promise.all(paths.map(get));
      shown.push(forgetting?.bookings[index]?.isErased ? withoutWords(answers, forgetting.bookings[index]) : answers);
    }
    for (const [index, { account: owner, id }] of lives.profiles.entries()) {
      if (owner !== account) continue;
      const profile = await get(`/v1/passengers/${id}`);
      const isForgotten = profile.status === 200 && forgetting?.profiles[index]?.isErased;
      shown.push(isForgotten ? { ...profile, ...ERASED_PROFILE } : profile);
    }
    shown.push(await get("/v1/loyalty/account"), await get("/v1/loyalty/transactions?limit=100"));
    const feed = await feedOf(client);
    const gone = (forgetting?.bookings ?? []).filter(({ isErased }) => isErased);
    shown.push(gone.reduce((events, booking) => withoutWords(events, booking), feed));
  }
  for (const [index, { id }] of lives.bookings.entries()) {
    const { booking } = (await target.operator("GET", `/bookings/${id}`)).body as { booking: Record<string, unknown> };
    const { isErased: _, erased: __, ...state } = booking;
    const forgotten = forgetting?.bookings[index];
    shown.push(forgotten?.isErased ? withoutWords(state, forgotten) : state);
  }
  return countedIds(shown, flights);
}

async function feedOf(client: Client): Promise<readonly unknown[]> {
  type Page = { data: unknown[]; page: { nextCursor: string | null } };
  const events: unknown[] = [];
  for (let after = ""; ; ) {
    const { data, page } = (await client.get<Page>(`/v1/events?order=asc&limit=100${after}`)).body;
    events.push(...data);
    if (page.nextCursor === null) return events;
    after = `&cursor=${page.nextCursor}`;
  }
}

const ERASED_PROFILE = {
  firstName: "[erased]",
  lastName: "[erased]",
  email: "erased@erased.invalid",
  dateOfBirth: "0001-01-01",
  nationality: "XX",
  passport: { number: "[erased]", expiresOn: "0001-01-01", issuingCountry: "XX" },
};

function withoutWords<Value>(value: Value, { words, emails }: Booking): Value {
  let text = JSON.stringify(value);
  for (const each of words) text = text.replaceAll(`"${each}"`, '"[erased]"');
  for (const each of emails) text = text.replaceAll(`"${each}"`, '"erased@erased.invalid"');
  return JSON.parse(text);
}

const ID = /\b(?:[a-z]{2,4}_[0-9a-f]{12,}(?:_\d+)?|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|TB[0-9A-Z]{13})\b/g;
const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z|\b1\d{12}\b/g;

function countedIds(shown: unknown, flights: string): unknown {
  const ids = new Map<string, string>();
  const counted = (id: string) => {
    const known = ids.get(id) ?? `id ${ids.size}`;
    ids.set(id, known);
    return known;
  };
  const text = JSON.stringify(shown).replaceAll(flights, "FLIGHT");
  return JSON.parse(text.replaceAll(MOMENT, "0").replaceAll(ID, counted));
}
