import { ELECTIONS, withoutElections } from "../../support/distributed/elections.ts";
import { type ServiceUnderTest, startServiceUnderTest } from "../../support/service-under-test.ts";
import { Client, expectStatus } from "./client.ts";

const DAY = 24 * 60 * 60 * 1_000;

export interface WorldFlight {
  readonly id: string;
  /** Days from now. */
  readonly departsIn: number;
  /** First and last row of economy, six seats each. */
  readonly rows?: readonly [number, number];
  readonly destinationId?: string;
  /** Cents, of the economy fare. */
  readonly amount?: number;
  /** Of all fares; US dollars by default. */
  readonly currency?: string;
}

/** A service of its own with a catalogue and two customers. */
export interface World {
  readonly service: ServiceUnderTest;
  readonly alice: Client;
  readonly bob: Client;
  readonly accountOf: { readonly alice: string; readonly bob: string };
  /** Without a credential. */
  readonly anonymous: Client;
  /** A further client of Alice's or of a new account, with these scopes. */
  withScopes(scopes: readonly string[], accountId?: string): Promise<Client>;
  addFlights(...flights: readonly WorldFlight[]): Promise<void>;
  /** Moves the service's clock forward. */
  advance(seconds: number): Promise<void>;
  /** Milliseconds since the epoch, by the service's clock. */
  now(): Promise<number>;
  /** Ends it. @throws Error it has logged a failure, or a secret. */
  discard(): Promise<void>;
}

export interface WorldOptions {
  readonly flights?: readonly WorldFlight[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts it without limits on requests and with a clock that can be moved, unless told otherwise. */
export async function openWorld({ flights = [], env = {} }: WorldOptions = {}): Promise<World> {
  const service = await startServiceUnderTest({ RATE_LIMIT_PER_MINUTE: "0", SANDBOX_CLOCK: "true", ...env });
  await importDestinations(service);
  const [aliceKey, bobKey] = [await service.newApiKey(), await service.newApiKey()];
  const world: World = {
    service,
    alice: new Client(service.baseUrl, aliceKey),
    bob: new Client(service.baseUrl, bobKey),
    accountOf: { alice: aliceKey.accountId, bob: bobKey.accountId },
    anonymous: new Client(service.baseUrl),
    async withScopes(scopes, accountId) {
      if (accountId === undefined) return new Client(service.baseUrl, await service.newApiKey(scopes));
      const issued = await service.operator("POST", "/credentials", { accountId, kind: "api-key", scopes });
      return new Client(service.baseUrl, { apiKey: (issued.body as { apiKey: string }).apiKey });
    },
    async addFlights(...added) {
      const now = await world.now();
      await importCatalogue(service, { destinations: [], flights: added.map((flight) => flightOf(flight, now)) });
    },
    async advance(seconds) {
      const answer = await withoutElections(() => service.operator("POST", "/clock/advance", { seconds }));
      if (answer.status !== 200) throw new Error(`the clock was not moved: ${JSON.stringify(answer.body)}`);
    },
    async now() {
      const { body } = await service.operator("GET", "/clock");
      return Date.parse((body as { now: string }).now);
    },
    async discard() {
      await service.discard();
      const failures = service.stderr
        .split("\n")
        .filter((line) => /"level":"(?:error|fatal)"/.test(line) && !isOfElection(line));
      if (failures.length > 0) throw new Error(`the service has logged failures:\n${failures.join("\n")}`);
      if (/tbs_|whsec_/.test(service.stderr)) throw new Error(`the service has logged a secret:\n${service.stderr}`);
    },
  };
  if (flights.length > 0) await world.addFlights(...flights);
  return world;
}

/** That the log is out of reach belongs to where there are elections, and nowhere else. */
function isOfElection(line: string): boolean {
  return ELECTIONS && line.includes('"type":"EventStoreUnavailable"');
}

export const DESTINATIONS = [
  {
    id: "kepler-442b",
    name: "Kepler-442b",
    system: "Kepler-442",
    distanceLy: 1206,
    gravity: 1.3,
    climate: "temperate",
  },
  {
    id: "proxima-b",
    name: "Proxima Centauri b",
    system: "Alpha Centauri",
    distanceLy: 4.24,
    gravity: 1.1,
    climate: "arid",
  },
  {
    id: "trappist-1e",
    name: "TRAPPIST-1e",
    system: "TRAPPIST-1",
    distanceLy: 40.7,
    gravity: 0.82,
    climate: "temperate",
  },
] as const;

/** Further ones of the catalogue's file, as they are. */
export async function importCatalogue(service: ServiceUnderTest, file: object): Promise<void> {
  const answer = await service.operator("POST", "/catalogue", file);
  if (answer.status !== 200) throw new Error(`the catalogue was refused: ${JSON.stringify(answer.body)}`);
}

/** One by one, so that their order is known: the last one is the newest. */
async function importDestinations(service: ServiceUnderTest): Promise<void> {
  for (const destination of DESTINATIONS) {
    await importCatalogue(service, { destinations: [destination], flights: [] });
  }
}

/**
 * Business (four seats, 500,000 cents) and economy (layout `ABC DEF`, rows 10 to 19, 129,900 cents): windows cost
 * 2,500 more, exit row 14 costs 4,000 more, and 19F is blocked where there is a row 19.
 */
export function flightOf(flight: WorldFlight, now: number) {
  const { id, departsIn, rows = [10, 19], destinationId = "kepler-442b", amount = 129_900, currency = "USD" } = flight;
  const has = (row: number) => rows[0] <= row && row <= rows[1];
  return {
    id,
    from: "LEO",
    destinationId,
    departsAt: new Date(now + departsIn * DAY).toISOString(),
    durationDays: 480,
    cabins: [
      { cabin: "business", deck: 1, amount: 500_000, currency, layout: "A D", rows: [1, 2] },
      {
        cabin: "economy",
        deck: 2,
        amount,
        currency,
        layout: "ABC DEF",
        rows,
        exitRows: has(14) ? [14] : [],
        blocked: has(19) ? ["19F"] : [],
        surcharges: { window: 2_500, exit_row: 4_000 },
      },
    ],
  };
}

/** Economy seats that can be had on a flight of the usual size. */
export const ECONOMY_SEATS = 59;

/** Every entry of a list, page by page. */
export async function readAllEntries<Item>(client: Client, path: string, limit: number): Promise<readonly Item[]> {
  const entries: Item[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) });
    const answer = await client.get<{ data: Item[]; page: { nextCursor: string | null; hasMore: boolean } }>(
      `${path}${path.includes("?") ? "&" : "?"}${query}`,
    );
    const { data, page } = expectStatus(200, answer);
    if (page.hasMore !== (page.nextCursor !== null)) throw new Error("hasMore and nextCursor disagree");
    if (page.hasMore && data.length !== limit) throw new Error("a page that is not full, and not the last");
    entries.push(...data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return entries;
}
