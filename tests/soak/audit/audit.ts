import type { BookingBody, FlightBody, PaymentBody } from "@travel-booking/api-contract";
import { SandboxLedger } from "@travel-booking/payment-gateway/sandbox";
import { bookingOf } from "@travel-booking/webhooks/receiver/testing";
import { everyEvent } from "../../distributed/kit/events.ts";
import { RetryingApi } from "../../distributed/kit/retrying-api.ts";
import type { Client } from "../../end-to-end/kit/client.ts";
import { accountOf, transactionsOf } from "../../end-to-end/kit/loyalty.ts";
import { readAllEntries } from "../../end-to-end/kit/world.ts";
import { mapAtOnce } from "../../support/map-at-once.ts";
import { rebuildProjections } from "../../support/rebuild-projections.ts";
import { seatsAstray } from "../../support/seats-astray.ts";
import { until } from "../../support/until.ts";
import type { Acknowledged } from "../load/acknowledged.ts";
import type { Listener } from "../load/receivers.ts";
import type { Sale } from "../load/sale.ts";
import type { Target } from "../targets/target.ts";
import { differences, type Findings, lost, moneyAstray, undelivered } from "./findings.ts";
import { auditLog } from "./log.ts";

const AN_HOUR = 3_600;
/** Until everything begun is over: transfers are due, refunds of transfers have settled, the near flights have gone. */
const HOURS = 8 * 24;

export interface Account {
  readonly name: string;
  readonly apiKey: string;
  /** Whose answers are checked against the interface description. */
  readonly client: Client;
  readonly acknowledged: Acknowledged;
  /** By endpoint. */
  readonly listeners: ReadonlyMap<string, Listener>;
}

/** What an installation has to answer for, once nobody asks anything of it any more. */
export class SoakAudit {
  readonly #target: Target;
  readonly #sale: Sale;
  readonly #accounts: readonly Account[];
  readonly #say: (text: string) => void;

  constructor(target: Target, sale: Sale, accounts: readonly Account[], say: (text: string) => void) {
    this.#target = target;
    this.#sale = sale;
    this.#accounts = accounts;
    this.#say = say;
  }

  /** Everything, in an order that lets time pass in between. The services are stopped in the end. */
  async run(): Promise<Findings> {
    const found = [await this.#check("what was acknowledged", () => this.#each((account) => this.#lost(account)))];
    found.push(await this.#check("what was due", () => this.#letTimePass()));
    found.push(await this.#check("deliveries", () => this.#each((account) => this.#undelivered(account))));
    found.push(await this.#check("seats", () => this.#seats()));
    found.push(await this.#check("points", () => this.#each((account) => this.#points(account))));
    found.push(await this.#check("read models", () => this.#readModels()));
    const bookings = (await Promise.all(this.#accounts.map(bookingsOf))).flat();
    const payments = (await Promise.all(this.#accounts.map(paymentsOf))).flat();
    const now = await this.#now();
    const books = await this.#target.openBooks();
    try {
      const ledger = await Array.fromAsync(new SandboxLedger(books.state).entries());
      const entries = new Map(ledger.map((entry) => [entry.paymentId, entry]));
      found.push(await this.#check("money", async () => moneyAstray(bookings, payments, entries)));
      found.push(await this.#check("the log", () => auditLog(books.events, ledger, this.#sale.sold, now)));
    } finally {
      await books.close();
    }
    return found.flat();
  }

  /** One part that can't be found out keeps no other from being. */
  async #check(what: string, find: () => Promise<Findings>): Promise<Findings> {
    const startedAt = performance.now();
    const found = await find().catch((error: Error) => [`${what}: ${error.stack}`]);
    const seconds = (performance.now() - startedAt) / 1_000;
    this.#say(
      `audit of ${what}: ${found.length === 0 ? "good" : `${found.length} findings`} (${seconds.toFixed(0)} s)`,
    );
    return found;
  }

  async #each(find: (account: Account) => Promise<Findings>): Promise<Findings> {
    return (await Promise.all(this.#accounts.map(find))).flat();
  }

  async #lost(account: Account): Promise<Findings> {
    const { client, acknowledged } = account;
    const bookings = byId(await bookingsOf(account));
    const payments = byId(await paymentsOf(account));
    const passengers = byId(await readAllEntries<{ readonly id: string }>(client, "/v1/passengers", 100));
    const spent = new Set((await transactionsOf(client, "redeem")).map(({ id }) => id));
    const unpaid = [...acknowledged.redemptions.values()].filter(({ transactionId }) => !spent.has(transactionId));
    const unknown = [...bookings.keys()].filter((id) => !acknowledged.bookings.has(id));
    return [
      ...lost(acknowledged.bookings, bookings),
      ...lost(acknowledged.payments, payments),
      ...lost(acknowledged.passengers, passengers),
      ...unpaid.map(({ id }) => `${id} was acknowledged, and no points were spent for it`),
      ...unknown.map((id) => `${id} is there, and nobody was told of it`),
    ];
  }

  async #letTimePass(): Promise<Findings> {
    for (let hour = 0; hour < HOURS; hour += 1) {
      const { status, body } = await this.#target.operator("POST", "/clock/advance", { seconds: AN_HOUR });
      if (status !== 200) throw new Error(`the clock was not moved: ${JSON.stringify(body)}`);
      // Retries are due after the first hour; nothing else is about to happen then.
      if (hour === 0) await this.#each((account) => this.#waitForDeliveries(account));
    }
    return this.#each((account) => this.#waitForDeliveries(account));
  }

  async #waitForDeliveries({ client, listeners }: Account): Promise<Findings> {
    for (const endpoint of listeners.keys()) {
      const path = `/v1/webhook-endpoints/${endpoint}/status`;
      await until(async () => (await client.get<{ owed: number }>(path)).body.owed === 0);
    }
    return [];
  }

  async #undelivered({ name, apiKey, listeners }: Account): Promise<Findings> {
    if (listeners.size === 0) return [];
    const events = await everyEvent(new RetryingApi(this.#target.baseUrl, { apiKey }));
    const expected = new Map(
      [...Map.groupBy(events, bookingOf)].map(([id, ofBooking]) => [id, ofBooking.map((event) => event.id)] as const),
    );
    return [...listeners.values()].flatMap((listener) => [
      ...undelivered(`${name}, ${listener.name}`, expected, listener.heard),
      ...(listener.wrongSignatures > 0 ? [`${listener.name}: ${listener.wrongSignatures} wrong signatures`] : []),
    ]);
  }

  async #seats(): Promise<Findings> {
    const bookings = (await Promise.all(this.#accounts.map(bookingsOf))).flat();
    const { client } = this.#accounts[0] as Account;
    const flights = await mapAtOnce(
      this.#sale.flightIds,
      async (id) => (await client.get<FlightBody>(`/v1/flights/${id}`)).body,
    );
    const capacities = Object.fromEntries(
      Object.entries(this.#sale.sold.cabins).map(([cabin, { surcharges }]) => [cabin, Object.keys(surcharges).length]),
    );
    return [...seatsAstray(flights, capacities, bookings)].map(([place, seats]) => `${place}: ${seats} seats astray`);
  }

  /** It throws where the postings do not add up. */
  async #points({ client }: Account): Promise<Findings> {
    await accountOf(client);
    return [];
  }

  async #readModels(): Promise<Findings> {
    const clients = this.#accounts.map(({ client }) => client);
    const before = await this.#target.readModels(clients);
    await rebuildProjections(this.#target);
    return differences(before, await this.#target.readModels(clients));
  }

  async #now(): Promise<number> {
    return Date.parse(((await this.#target.operator("GET", "/clock")).body as { now: string }).now);
  }
}

function bookingsOf({ client }: Account): Promise<readonly BookingBody[]> {
  return readAllEntries<BookingBody>(client, "/v1/bookings", 100);
}

/** Those that somebody was told of; the log knows whether there are others. */
function paymentsOf({ client, acknowledged }: Account): Promise<readonly PaymentBody[]> {
  return mapAtOnce([...acknowledged.payments.keys()], (id) => client.payment(id));
}

function byId<Thing extends { readonly id: string }>(things: readonly Thing[]): ReadonlyMap<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]));
}
