import { openMongo } from "@travel-booking/engines/mongodb";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { SandboxLedger } from "@travel-booking/payment-gateway/sandbox";
import type { ApiClient } from "../../support/api-client.ts";
import type { Installation } from "../../support/distributed/installation.ts";
import type { Servers } from "../../support/distributed/servers.ts";
import { mapAtOnce } from "../../support/map-at-once.ts";
import { rebuildProjections } from "../../support/rebuild-projections.ts";
import { seatsAstray } from "../../support/seats-astray.ts";
import type { AcknowledgedWrites } from "./journeys.ts";
import { everyDocument } from "./read-models.ts";
import { RetryingApi } from "./retrying-api.ts";

interface Flight {
  readonly id: string;
  readonly fares: readonly { readonly cabin: string; readonly seatsLeft: number }[];
}

interface Listed {
  readonly data: readonly {
    readonly id: string;
    readonly flightId: string;
    readonly cabin: string;
    readonly status: string;
    readonly passengers: readonly unknown[];
  }[];
  readonly page: { readonly nextCursor: string | null };
}

/** What an installation has to answer for after everything that was done to it. */
export class ConsistencyAudit {
  readonly #api: ApiClient;
  readonly #installation: Installation;
  readonly #servers: Servers;

  constructor(installation: Installation, servers: Servers, apiKey: string) {
    this.#api = new RetryingApi(installation.baseUrl, { apiKey });
    this.#installation = installation;
    this.#servers = servers;
  }

  /** What was acknowledged and is not there, or is there otherwise. */
  async findMissing({ bookings, payments }: AcknowledgedWrites): Promise<readonly string[]> {
    const missingBookings = await mapAtOnce([...bookings.keys()], async (id) => {
      const { status } = await this.#api.get(`/v1/bookings/${id}`);
      return status === 200 ? [] : [`${id}: ${status}`];
    });
    const otherPayments = await mapAtOnce([...payments], async ([id, payment]) => {
      const { status, body } = await this.#api.get(`/v1/payments/${id}`);
      if (status === 200 && JSON.stringify(body) === JSON.stringify(payment)) return [];
      return [`${id}: ${status} ${JSON.stringify(body)} instead of ${JSON.stringify(payment)}`];
    });
    return [...missingBookings, ...otherPayments].flat();
  }

  /** Bookings that do not have exactly one charge, among those that were paid. */
  async findWrongCharges({ payments }: AcknowledgedWrites): Promise<readonly string[]> {
    const mongo = openMongo(this.#servers.mongodbUrl);
    try {
      const ledger = new SandboxLedger(openMongoStateStore(mongo));
      const wrong: string[] = [];
      for (const { bookingId } of payments.values()) {
        const charges = await ledger.chargesOf(bookingId);
        if (charges.length !== 1) wrong.push(`${bookingId}: ${charges.length} charges`);
      }
      return wrong;
    } finally {
      await mongo.close();
    }
  }

  /** Lets everything that is due be done, beyond every grace. The service says 503 while a read model is far behind. */
  async waitUntilSettled(): Promise<void> {
    const settle = () => this.#installation.operator("POST", "/clock/advance", { seconds: 300 });
    let { status, body } = await settle();
    while (status === 503) ({ status, body } = await settle());
    if (status !== 200) throw new Error(`the clock was not moved: ${JSON.stringify(body)}`);
  }

  /** See `seatsAstray`. @param capacity of economy. */
  async findSeatMismatches(flights: readonly string[], capacity: number): Promise<ReadonlyMap<string, number>> {
    const ask = async (id: string) => (await this.#api.get<Flight>(`/v1/flights/${id}`)).body;
    return seatsAstray(await mapAtOnce(flights, ask), { economy: capacity }, await this.#bookings());
  }

  /** The read models as they are, and built anew from the log alone. */
  async compareReadModels() {
    const asTheyAre = await everyDocument(this.#servers.mongodbUrl);
    await rebuildProjections(this.#installation);
    return { asTheyAre, builtAnew: await everyDocument(this.#servers.mongodbUrl) };
  }

  async #bookings(): Promise<Listed["data"]> {
    const all: Listed["data"][number][] = [];
    let cursor = "";
    do {
      const { body } = await this.#api.get<Listed>(`/v1/bookings?limit=100${cursor}`);
      all.push(...body.data);
      cursor = body.page.nextCursor === null ? "" : `&cursor=${body.page.nextCursor}`;
    } while (cursor !== "");
    return all;
  }
}
