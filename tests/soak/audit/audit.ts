import type { BookingBody, FlightBody, PaymentBody } from "@travel-booking/api-contract";
import { SandboxLedger } from "@travel-booking/payment-gateway/sandbox";
import { bookingOf } from "@travel-booking/webhooks/receiver/testing";
import { everyEvent } from "../../distributed/kit/events.ts";
import { RetryingApi } from "../../distributed/kit/retrying-api.ts";
import type { Client } from "../../end-to-end/kit/client.ts";
import { accountOf, transactionsOf } from "../../end-to-end/kit/loyalty.ts";
import { readAllEntries } from "../../end-to-end/kit/world.ts";
import { mapAtOnce } from "../../support/map-at-once.ts";
import { operatorJson } from "../../support/operator-cli.ts";
import { rebuildProjections } from "../../support/rebuild-projections.ts";
import { seatsAstray } from "../../support/seats-astray.ts";
import { until } from "../../support/until.ts";
import type { Acknowledged } from "../load/acknowledged.ts";
import type { Listener } from "../load/receivers.ts";
import type { Sale } from "../load/sale.ts";
import type { Target } from "../targets/target.ts";
import { differences, type Findings, lost, moneyAstray, undelivered } from "./findings.ts";
import { auditLog } from "./log.ts";

/** Until retries are due; nothing else is about to happen by then. */
const A_WHILE = "1h";
/** Until everything begun is over: transfers are due, refunds of transfers have settled, the near flights have gone. */
const LONG = "8d";

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
    found.push(await this.#check("money and the log", () => this.#books()));
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
    for (const finding of found) this.#say(`FOUND: ${finding}`);
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

  /** By the command line, which waits as long as it takes. */
  async #letTimePass(): Promise<Findings> {
    for (const duration of [A_WHILE, LONG]) {
      await operatorJson(this.#target.operatorEnvironment, "clock", "advance", duration);
      await this.#each((account) => this.#waitForDeliveries(account));
    }
    return [];
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

  /** Stops the services: their log and the gateway's books are read without them. */
  async #books(): Promise<Findings> {
    const bookings = (await Promise.all(this.#accounts.map(bookingsOf))).flat();
    const payments = (await Promise.all(this.#accounts.map(paymentsOf))).flat();
    const clock = await operatorJson<{ readonly now: string }>(this.#target.operatorEnvironment, "clock", "show");
    const { events, state, close } = await this.#target.openBooks();
    try {
      const ledger = await Array.fromAsync(new SandboxLedger(state).entries());
      const entries = new Map(ledger.map((entry) => [entry.paymentId, entry]));
      return [
        ...moneyAstray(bookings, payments, entries),
        ...(await auditLog(events, ledger, this.#sale.sold, Date.parse(clock.now))),
      ];
    } finally {
      await close();
    }
  }
}

function bookingsOf({ client }: Account): Promise<readonly BookingBody[]> {
  return readAllEntries<BookingBody>(client, "/v1/bookings", 100);
}

/** Those that somebody was told of, and that are there; the log knows whether there are others. */
async function paymentsOf({ client, acknowledged }: Account): Promise<readonly PaymentBody[]> {
  const ids = [...acknowledged.payments.keys()];
  const answers = await mapAtOnce(ids, (id) => client.get<PaymentBody>(`/v1/payments/${id}`));
  return answers.flatMap(({ status, body }) => (status === 404 ? [] : [body]));
}

function byId<Thing extends { readonly id: string }>(things: readonly Thing[]): ReadonlyMap<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]));
}
