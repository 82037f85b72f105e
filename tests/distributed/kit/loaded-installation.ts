import { expect } from "@jest/globals";
import type { Installation, InstallationOptions } from "../../support/distributed/installation.ts";
import type { Servers } from "../../support/distributed/servers.ts";
import { ConsistencyAudit } from "./audit.ts";
import { ClientJourneys } from "./journeys.ts";
import { openInstallation } from "./open-installation.ts";

const ROWS = [10, 209] as const;
/** Economy seats of a flight: six in each of these rows. */
const CAPACITY = 1_200;

export interface LoadOptions extends InstallationOptions {
  /** Ids of the flights that are booked. */
  readonly flights: readonly string[];
  readonly clients: number;
  /** The servers themselves, where the services reach them some other way. */
  readonly auditServers?: Servers;
}

/** An installation with clients that book and pay all the time. */
export class LoadedInstallation {
  readonly installation: Installation;
  readonly journeys: ClientJourneys;
  readonly #audit: ConsistencyAudit;
  readonly #flights: readonly string[];

  private constructor(
    installation: Installation,
    journeys: ClientJourneys,
    audit: ConsistencyAudit,
    flights: readonly string[],
  ) {
    this.installation = installation;
    this.journeys = journeys;
    this.#audit = audit;
    this.#flights = flights;
  }

  static async start({ flights, clients, auditServers, env, ...options }: LoadOptions): Promise<LoadedInstallation> {
    const { installation, apiKey } = await openInstallation({
      ...options,
      flights: flights.map((id) => ({ id, departsIn: 60, rows: ROWS })),
      env: { SANDBOX_CLOCK: "true", ...env },
    });
    const journeys = new ClientJourneys(installation.baseUrl, apiKey, flights);
    journeys.start(clients);
    const audit = new ConsistencyAudit(installation, auditServers ?? options.servers, apiKey);
    return new LoadedInstallation(installation, journeys, audit, flights);
  }

  /** Lets the clients finish; expects that nothing acknowledged is lost, nobody is charged twice, no seat is astray. */
  async expectConsistent(): Promise<void> {
    const acknowledged = await this.journeys.stop();
    expect(acknowledged.unexpectedResponses).toStrictEqual([]);
    await this.#audit.waitUntilSettled();
    expect(await this.#audit.findMissing(acknowledged)).toStrictEqual([]);
    expect(await this.#audit.findWrongCharges(acknowledged)).toStrictEqual([]);
    expect(await this.#audit.findSeatMismatches(this.#flights, CAPACITY)).toStrictEqual(new Map());
  }

  /** Expects every read model to be what the log alone makes of it. */
  async expectReadModelsMatchRebuild(): Promise<void> {
    const { asTheyAre, builtAnew } = await this.#audit.compareReadModels();
    expect([...builtAnew.keys()].toSorted()).toStrictEqual([...asTheyAre.keys()].toSorted());
    for (const [model, documents] of builtAnew) expect([model, documents]).toStrictEqual([model, asTheyAre.get(model)]);
  }
}
