import { passportZone, pdfWithZone } from "@travel-booking/document-reviewer/testing";
import { ERASED_WORDS, PUBLIC_EVENT_TYPES } from "@travel-booking/domain";
import { bookingOf, type ReceivedEvent, type Receiver, type Respond } from "@travel-booking/webhooks/receiver/testing";
import { Client } from "../end-to-end/kit/client.ts";
import { MULTIPART, multipartOf } from "../end-to-end/kit/upload.ts";
import { DESTINATIONS, flightOf } from "../end-to-end/kit/world.ts";
import { Chance } from "../soak/load/chance.ts";
import { until } from "./until.ts";
import { type HasOperatorInterface, wholeStream } from "./whole-stream.ts";

/** Whatever lives are lived on. */
interface Target extends HasOperatorInterface {
  readonly baseUrl: string;
}

/** What a service needs for lives to be lived on it. */
export const ENV_OF_LIVES = {
  RATE_LIMIT_PER_MINUTE: "0",
  QUOTA_UNPAID_SEATS_PERCENT: "100",
  SANDBOX_CLOCK: "true",
  WEBHOOK_ALLOW_PRIVATE_TARGETS: "true",
};

export interface LivesOptions {
  /** The one that runs at the moment. */
  readonly target: () => Target;
  readonly random: () => number;
  readonly steps: number;
  /** Begins the ids of flights. */
  readonly flights: string;
  /** Where the webhook endpoints of all accounts are; without it there are none. */
  readonly receiver?: Receiver;
  /** Erases what stands there; without it the same lives are lived, and nobody is erased. */
  readonly erase?: (path: string) => Promise<void>;
  /** Called before each step. */
  readonly before?: (step: number, lives: Lives) => Promise<void>;
}

interface Account {
  readonly accountId: string;
  readonly apiKey: string;
  readonly words: string[];
}

interface Booking {
  readonly account: number;
  readonly id: string;
  /** From 1 on. */
  readonly flight: number;
  /** Each, and what stands for it when it is erased. */
  readonly words: Map<string, string>;
  readonly holder: string;
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
  readonly accounts: readonly Account[];
  readonly bookings: readonly Booking[];
  readonly profiles: readonly Profile[];
  /** One account is erased at the end. */
  readonly erasedAccount: number;
}

/** How many live: the last of them is erased as a whole. */
const ACCOUNTS = 3;
/** One departs after the other; the last does not. */
const FLIGHTS = 4;
const [SECONDS_OF_DAY, DAYS_BETWEEN_FLIGHTS] = [86_400, 30];
const ROWS = [20, 69] as const;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SEATS = ["A", "B", "C", "D", "E", "F"];
const COUNTRIES = ["DE", "FR", "NZ"];

const { text: ERASED, email: ERASED_EMAIL, date: ERASED_DATE } = ERASED_WORDS;

/** Refuses the first delivery of some events, with what it was sent: so it stands in the attempt log. */
export function refusesOnce(): Respond {
  const refused = new Set<string>();
  return ({ event, body }, response) => {
    const isRefused = event.type === "booking.cancelled" && !refused.has(event.id);
    refused.add(event.id);
    response.writeHead(isRefused ? 500 : 200).end(isRefused ? body : "");
  };
}

/** Lives random lives. What happens follows from `random` alone: others with the same are the same. */
export async function live(options: LivesOptions): Promise<Lives> {
  const { target, random, steps, flights, receiver, erase, before } = options;
  const chance = new Chance(random);
  const accounts: Account[] = [];
  const bookings: Booking[] = [];
  const profiles: Profile[] = [];
  let [people, keys, seats, departed] = [0, 0, 0, 0];
  /** Letters, which the lines of a passport have, too. */
  const nth = () => {
    people += 1;
    return [26 ** 2, 26, 1].map((place) => LETTERS[Math.floor(people / place) % 26]).join("");
  };
  const word = (kind: string) => `${kind}-Suchwort${nth()}`;
  /** A day that no other word is. */
  const day = (from: number) => new Date(Date.UTC(from, 0, ++people)).toISOString().slice(0, 10);
  const clientOf = (account: number) => new Client(target().baseUrl, accounts[account] as Account);
  const call = async <Body = { id: string }>(
    account: number,
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const sent = { body, headers: { "Idempotency-Key": `key-${++keys}`, ...headers } };
    const answer = await clientOf(account).send<Body>(method, path, sent);
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const operate = async <Body>(method: string, path: string, body: unknown) => {
    const answer = await target().operator(method, path, body);
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  };
  const advance = (seconds: number) => operate("POST", "/clock/advance", { seconds });
  const person = () => {
    const letters = nth();
    return { name: `Näme Suchwort${letters}`, email: `naeme.${letters}@suchwort.example` };
  };
  const account = () => chance.upTo(ACCOUNTS) - 1;
  const isFlown = ({ flight }: Booking) => flight <= departed;
  const isOpen = (booking: Booking) => !booking.isCancelled && !isFlown(booking);
  const isUnpaid = (booking: Booking) => isOpen(booking) && booking.paymentId === undefined;
  const cancel = async (booking: Booking) => {
    const reason = word("Grund");
    booking.words.set(reason, ERASED);
    await call(booking.account, "POST", `/v1/bookings/${booking.id}/cancel`, { reason });
    booking.isCancelled = true;
    await until(() => isSettled(target(), booking, flights, accounts[booking.account] as Account));
  };
  /** What is not paid would expire in an order that is left to chance. */
  const passDays = async (days: number) => {
    for (const booking of bookings.filter(isUnpaid)) await cancel(booking);
    await advance(days * SECONDS_OF_DAY);
  };
  const perform: Readonly<Record<string, () => Promise<unknown>>> = {
    async book() {
      const [owner, flight] = [account(), departed + chance.upTo(FLIGHTS - departed)];
      const passengers = Array.from({ length: chance.upTo(3) }, person);
      const [reference, note] = [word("Referenz"), word("Vermerk")];
      const chosen = passengers.map(
        () => `${ROWS[0] + Math.floor(seats / SEATS.length)}${SEATS[seats++ % SEATS.length]}`,
      );
      const order = { flightId: `${flights}-${flight}`, cabin: "economy", passengers, reference, seats: chosen };
      const { id } = await call(owner, "POST", "/v1/bookings", { ...order, metadata: { note } });
      const words = new Map<string, string>([reference, note].map((each) => [each, ERASED]));
      for (const { name, email } of passengers) words.set(name, ERASED).set(email, ERASED_EMAIL);
      const holder = passengers[0]?.name ?? "";
      bookings.push({ account: owner, id, flight, words, holder, isCancelled: false, isErased: false });
    },
    async change() {
      const booking = chance.oneOf(bookings.filter(isOpen));
      if (booking === undefined) return;
      const [reference, more] = [word("Referenz"), word("Vermerk")];
      booking.words.set(reference, ERASED).set(more, ERASED);
      await call(booking.account, "PATCH", `/v1/bookings/${booking.id}`, { reference, metadata: { more } });
    },
    async pay() {
      const booking = chance.oneOf(bookings.filter(isUnpaid));
      if (booking === undefined) return;
      const order = word("Bestellung");
      booking.words.set(order, ERASED);
      const payment = { type: "card", token: "tok_visa", metadata: { order } };
      booking.paymentId = (await call(booking.account, "POST", `/v1/bookings/${booking.id}/payments`, payment)).id;
    },
    /** Also of those who are erased. */
    async refund() {
      const booking = chance.oneOf(bookings.filter(({ paymentId, isCancelled }) => paymentId && !isCancelled));
      if (booking === undefined) return;
      const amount = 10_000 * chance.upTo(3);
      await call(booking.account, "POST", `/v1/payments/${booking.paymentId}/refunds`, { amount });
      await until(() => isSettled(target(), booking, flights, accounts[booking.account] as Account));
    },
    /** The passport of somebody in the party, or what nobody can read. */
    async upload() {
      const booking = chance.oneOf(bookings.filter(isOpen));
      if (booking === undefined) return;
      const [fileName, inFile, expiresOn] = [`${word("Pass")}.pdf`, word("Datei"), day(2035)];
      const [givenNames = "", surname = ""] = booking.holder.toUpperCase().replace("Ä", "AE").split(" ");
      people += 1;
      const number = `NR${String(people).padStart(7, "0")}`;
      const zone = passportZone({ surname, givenNames, number, expiresOn: expiresOn.slice(2).replaceAll("-", "") });
      const isReadable = chance.random() < 0.6;
      const pdf = await pdfWithZone(isReadable ? zone : ["nothing to be read"]);
      // A file made at another moment has another size.
      const content = Buffer.concat([pdf, Buffer.from(`\n% ${inFile} `.padEnd(1_100 - pdf.length, "."))]);
      booking.words.set(fileName, ERASED).set(inFile, ERASED).set(expiresOn, ERASED_DATE);
      booking.words.set(`${surname}/${givenNames}`, ERASED).set(number, ERASED);
      const body = multipartOf({ fileName, contentType: "application/pdf", content });
      await call(booking.account, "POST", `/v1/bookings/${booking.id}/documents`, body, { "content-type": MULTIPART });
      // Its answer waits until the file is reviewed.
      await advance(1);
      if (isReadable || chance.random() < 0.5) return;
      const { data } = await operate<{ data: { id: string; bookingId: string }[] }>("GET", "/documents", undefined);
      const document = data.findLast(({ bookingId }) => bookingId === booking.id);
      const reason = word("Ablehnung");
      booking.words.set(reason, ERASED);
      await operate("POST", `/documents/${document?.id}/reject`, { reason });
    },
    async cancel() {
      const booking = chance.oneOf(bookings.filter(isOpen));
      if (booking !== undefined) await cancel(booking);
    },
    async save() {
      const owner = account();
      const { name, email } = person();
      const passport = { number: word("PASS"), expiresOn: day(2040), issuingCountry: chance.oneOf(COUNTRIES) ?? "" };
      const nationality = chance.oneOf(COUNTRIES) ?? "";
      const [lastName, note, loyaltyNumber, dateOfBirth] = [
        word("Nachname"),
        word("Notiz"),
        word("Mitglied"),
        day(1950),
      ];
      const { id } = await call(owner, "POST", "/v1/passengers", {
        firstName: name,
        lastName,
        email,
        dateOfBirth,
        nationality,
        passport,
        loyaltyNumber,
        metadata: { note },
        preferences: { seat: "window", meal: "vegan", cryosleep: true },
      });
      const words = [name, lastName, email, dateOfBirth, passport.number, passport.expiresOn, note, loyaltyNumber];
      // Two letters alone are found in any file.
      words.push(`"nationality":"${nationality}"`, `"issuingCountry":"${passport.issuingCountry}"`);
      profiles.push({ account: owner, id, words, isDeleted: false, isErased: false });
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
    async adjustPoints() {
      const of = accounts[account()] as Account;
      const reason = word("Kulanz");
      of.words.push(reason);
      await operate("POST", "/loyalty/adjustments", { accountId: of.accountId, points: chance.upTo(100), reason });
    },
    async fly() {
      if (departed + 1 === FLIGHTS) return;
      await passDays(DAYS_BETWEEN_FLIGHTS);
      departed += 1;
    },
    async eraseBooking() {
      const booking = chance.oneOf(bookings.filter((each) => !isOpen(each) && !each.isErased));
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
  const { now } = await operate<{ now: string }>("GET", "/clock", undefined);
  const ordered = Array.from({ length: FLIGHTS }, (_, index) => ({
    id: `${flights}-${index + 1}`,
    departsIn: DAYS_BETWEEN_FLIGHTS * (index + 1) - 1,
    rows: ROWS,
  }));
  await operate("POST", "/catalogue", {
    destinations: [DESTINATIONS[0]],
    flights: ordered.map((flight) => flightOf(flight, Date.parse(now))),
  });
  while (accounts.length < ACCOUNTS) {
    const [name, credentialName] = [word("Konto"), word("Zugang")];
    const { id: accountId } = await operate<{ id: string }>("POST", "/accounts", { name });
    const credential = { accountId, kind: "api-key", name: credentialName };
    const { apiKey } = await operate<{ apiKey: string }>("POST", "/credentials", credential);
    accounts.push({ accountId, apiKey, words: [name, credentialName] });
    if (receiver === undefined) continue;
    const endpoint = { url: receiver.url, events: PUBLIC_EVENT_TYPES };
    await call(accounts.length - 1, "POST", "/v1/webhook-endpoints", endpoint);
  }
  const lives = { accounts, bookings, profiles, erasedAccount: ACCOUNTS - 1 };
  for (let step = 0; step < steps; step += 1) {
    await before?.(step, lives);
    const name = chance.weighted<string>([
      [6, "book"],
      [2, "change"],
      [5, "pay"],
      [2, "refund"],
      [3, "upload"],
      [3, "cancel"],
      [2, "save"],
      [1, "rename"],
      [1, "deleteProfile"],
      [1, "adjustPoints"],
      [1, "fly"],
      [5, "eraseBooking"],
      [2, "eraseProfile"],
    ]);
    await perform[name]?.();
  }
  // What a receiver has refused is delivered by then.
  await passDays(1);
  await erase?.(`/accounts/${accounts[lives.erasedAccount]?.accountId}/erase`);
  for (const each of [...bookings, ...profiles]) if (each.account === lives.erasedAccount) each.isErased = true;
  return lives;
}

/** Whether what a cancellation or a refund sets going is done: the answer may leave it to what is due. */
async function isSettled(
  target: Target,
  { id, flight, isCancelled }: Booking,
  flights: string,
  { accountId }: Account,
): Promise<boolean> {
  interface Data {
    readonly bookingId?: string;
    readonly refundId?: string;
    readonly refundIds?: readonly string[];
    readonly departed?: boolean;
  }
  const eventsOf = (stream: string) => wholeStream<{ readonly type: string; readonly data: Data }>(target, stream);
  const streams = [`flight-${flights}-${flight}`, `booking-${id}`, `loyalty-${accountId}`];
  const [seats = [], booking = [], points = []] = await Promise.all(streams.map(eventsOf));
  const refunds = (type: string) => booking.filter((event) => event.type === type).map(({ data }) => data);
  const posted = new Set(points.flatMap(({ data }) => data.refundIds ?? []));
  const isReleased = seats.some(({ type, data }) => type === "AllocationReleased" && data.bookingId === id);
  return (
    (isReleased || !isCancelled) &&
    refunds("RefundStarted").length === refunds("RefundSucceeded").length &&
    refunds("RefundStarted").every(({ departed, refundId = "" }) => departed !== true || posted.has(refundId))
  );
}

/** All words of those who were erased. */
export function erasedWords({ accounts, bookings, profiles, erasedAccount }: Lives): readonly string[] {
  return [
    ...(accounts[erasedAccount]?.words ?? []),
    ...bookings.flatMap(({ isErased, words }) => (isErased ? [...words.keys()] : [])),
    ...profiles.flatMap(({ isErased, words }) => (isErased ? words : [])),
  ];
}

const livingIn = ({ accounts, erasedAccount }: Lives) => accounts.filter((_, account) => account !== erasedAccount);

/**
 * All that there is to be seen of lives: seats, bookings with their history, payments, documents and events, points,
 * profiles, and the bookings of all accounts and the review queue as an operator has them. Ids and moments are counted in
 * the order they appear, so the same lives lived elsewhere show the same. @param forgetting what is erased there is erased
 * in what is shown.
 */
export async function shownOf(target: Target, lives: Lives, flights: string, forgetting?: Lives): Promise<unknown> {
  // Its answer waits until the read models show everything, also what other accounts did.
  const queue = (await target.operator("GET", "/documents")).body as { data: readonly { bookingId: string }[] };
  const shown: unknown[] = [];
  const forget = <Value>(value: Value): Value =>
    (forgetting?.bookings ?? []).reduce((left, each) => (each.isErased ? withoutWords(left, each) : left), value);
  for (const [account, credential] of livingIn(lives).entries()) {
    const client = new Client(target.baseUrl, credential);
    const get = async (path: string) => {
      const { status, body } = await client.get<Record<string, unknown>>(path);
      // A code follows from an id.
      return { status, ...body, page: undefined, passCode: undefined };
    };
    for (let number = 1; number <= FLIGHTS; number += 1) shown.push(await get(`/v1/flights/${flights}-${number}`));
    for (const { account: owner, id, paymentId } of lives.bookings) {
      if (owner !== account) continue;
      const paths = ["", "/history", "/documents", "/summary"].map((path) => `/v1/bookings/${id}${path}`);
      if (paymentId !== undefined) paths.push(`/v1/payments/${paymentId}`);
      shown.push(forget(await Promise.all(paths.map(get))));
    }
    for (const [index, { account: owner, id }] of lives.profiles.entries()) {
      if (owner !== account) continue;
      const profile = await get(`/v1/passengers/${id}`);
      const isForgotten = profile.status === 200 && forgetting?.profiles[index]?.isErased;
      shown.push(isForgotten ? { ...profile, ...ERASED_PROFILE } : profile);
    }
    // Lives may begin on another day.
    const points = { ...(await get("/v1/loyalty/account")), memberSince: undefined, pointsExpireOn: undefined };
    shown.push(points, await pointsOf(client, lives), forget(await feedOf(client)));
  }
  for (const { id } of lives.bookings) {
    const { booking } = (await target.operator("GET", `/bookings/${id}`)).body as { booking: Record<string, unknown> };
    const { isErased, erased, changesSize, ...state } = booking;
    shown.push(forget(state));
  }
  const ids = new Set(lives.bookings.map(({ id }) => id));
  shown.push(forget(queue.data.filter(({ bookingId }) => ids.has(bookingId))));
  return countedIds(shown, flights);
}

/** Bookings that fly together earn their points in an order that is left to chance: they are shown in that of bookings. */
async function pointsOf(client: Client, { bookings }: Lives): Promise<readonly unknown[]> {
  const order = new Map(bookings.map(({ id }, index) => [id, index]));
  type Posting = { readonly bookingId: string | null; readonly balanceAfter: number };
  const { data } = (await client.get<{ data: Posting[] }>("/v1/loyalty/transactions?limit=100")).body;
  const placeOf = ({ bookingId }: Posting) => order.get(bookingId ?? "") ?? -1;
  return data.toSorted((one, other) => placeOf(one) - placeOf(other)).map(({ balanceAfter: _, ...posting }) => posting);
}

/**
 * What the receiver got for those who are left, booking by booking and without repetitions, once it has got all. What is
 * erased is left out of what was delivered before, too.
 */
export async function deliveredOf(
  receiver: Receiver,
  target: Target,
  lives: Lives,
  flights: string,
  forgetting: Lives,
): Promise<unknown> {
  const events = new Map<string, ReceivedEvent>();
  for (const credential of livingIn(lives)) {
    const ids = (await feedOf(new Client(target.baseUrl, credential))).map(({ id }) => id);
    await receiver.until(() => ids.every((id) => receiver.ids.includes(id)));
  }
  for (const { event } of receiver.received) events.set(event.id, events.get(event.id) ?? event);
  const delivered = lives.bookings
    .filter(({ account }) => account !== lives.erasedAccount)
    .map(({ id }) => [...events.values()].filter((event) => bookingOf(event) === id));
  const forgotten = forgetting.bookings.filter(({ isErased }) => isErased);
  return countedIds(forgotten.reduce<unknown>(withoutWords, delivered), flights);
}

async function feedOf(client: Client): Promise<readonly { readonly id: string }[]> {
  type Page = { data: { id: string }[]; page: { nextCursor: string | null } };
  const events: { id: string }[] = [];
  for (let after = ""; ; ) {
    const { data, page } = (await client.get<Page>(`/v1/events?order=asc&limit=100${after}`)).body;
    events.push(...data);
    if (page.nextCursor === null) return events;
    after = `&cursor=${page.nextCursor}`;
  }
}

const ERASED_PROFILE = {
  firstName: ERASED,
  lastName: ERASED,
  email: ERASED_EMAIL,
  dateOfBirth: ERASED_DATE,
  nationality: "XX",
  passport: { number: ERASED, expiresOn: ERASED_DATE, issuingCountry: "XX" },
  loyaltyNumber: ERASED,
  metadata: { note: ERASED },
  preferences: { seat: "window", meal: "standard", cryosleep: true },
};

function withoutWords<Value>(value: Value, { words }: Booking): Value {
  let text = JSON.stringify(value);
  for (const [word, instead] of words) text = text.replaceAll(`"${word}"`, `"${instead}"`);
  return JSON.parse(text);
}

const ID =
  /\b(?:[a-z]{2,4}_[0-9a-f]{12,}(?:_\d+)?|(?:upl_)?[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|[0-9a-f]{64}|TB[0-9A-Z]{13})\b/g;
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
