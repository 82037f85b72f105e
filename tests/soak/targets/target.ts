import type { EventStore } from "@travel-booking/engines/event-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import { BENCH_SETTINGS } from "../../bench/service/bench-service.ts";
import type { Client } from "../../end-to-end/kit/client.ts";
import type { IssuedKey, OperatorClientResponse } from "../../support/operator-caller.ts";
import type { OperatorEnvironment } from "../../support/operator-cli.ts";

/** Of both profiles: limits that are counted and never reached, a clock that can be moved. */
export const SOAK_SETTINGS = {
  ...BENCH_SETTINGS,
  LOG_LEVEL: "warn",
  SANDBOX_CLOCK: "true",
  WEBHOOK_ALLOW_PRIVATE_TARGETS: "true",
};

/** A process that is killed now and then. */
export interface Victim {
  readonly name: string;
  kill(): Promise<unknown>;
  /** Resolves when it is ready again. */
  restart(): Promise<void>;
}

/** The log and the gateway's books, once no service uses them. */
export interface Books {
  readonly events: EventStore;
  readonly state: StateStore;
  close(): Promise<void>;
}

/** An installation under load, which is killed in parts and audited in the end. */
export interface Target {
  readonly baseUrl: string;
  readonly metricsUrls: readonly string[];
  readonly victims: readonly Victim[];
  /** What all of its services have logged. */
  readonly stderr: string;
  /** For the operator's command line. */
  readonly operatorEnvironment: OperatorEnvironment;
  operator(method: string, path: string, body?: unknown): Promise<OperatorClientResponse>;
  newApiKey(): Promise<IssuedKey>;
  /** Folders by what is stored in them. */
  stored(): Readonly<Record<string, string>>;
  /** All that readers can see, by name, as text or its digest. */
  readModels(clients: readonly Client[]): Promise<ReadonlyMap<string, string>>;
  /** Stops the services, not the servers, and opens what they have left. */
  openBooks(): Promise<Books>;
  /** Ends all of it and forgets its data. */
  discard(): Promise<void>;
}
