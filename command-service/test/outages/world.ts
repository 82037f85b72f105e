import { expect } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { AppendRefused } from "@travel-booking/engines/event-store";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { type ApiResponse, type CommandIdentity, failureResponse, Idempotency } from "@travel-booking/http";
import { unavailableResponse } from "@travel-booking/service-host";
import { commandRoutes } from "../../src/index.ts";
import { apiRequest, NOTHING_SEALED } from "../../testing/index.ts";
import { checkInvariants } from "../loyalty/loyalty-fixtures.ts";
import { checkMoney, endState, occupantsOfAllFlights } from "../support/end-state.ts";
import { ADA } from "../support/sample.ts";
import { ExternalSystems, Service } from "../support/service.ts";
import { FailingEventStore } from "./failing-event-store.ts";
import type { Call, Scenario } from "./scenarios.ts";

/** A service on a store that can fail, what it was asked, and how it answers. */
export class World {
  readonly store: FailingEventStore;
  readonly #service: Service;
  readonly #call: Call;
  readonly #idempotency: Idempotency;

  static async prepare(scenario: Scenario, singleWriter: boolean): Promise<World> {
    const store = new FailingEventStore(singleWriter);
    const service = await Service.start(undefined, new ExternalSystems(store));
    const call = await scenario(service);
    store.recover();
    return new World(store, service, call, singleWriter);
  }

  private constructor(store: FailingEventStore, service: Service, call: Call, singleProcess: boolean) {
    const { state, clock, ids } = service.systems;
    this.store = store;
    this.#service = service;
    this.#call = call;
    this.#idempotency = new Idempotency({
      store: state,
      clock,
      commandIds: ids,
      ...(singleProcess && { holder: null }),
    });
  }

  /** The request, as the HTTP layer runs and answers it. */
  async request(key?: string): Promise<ApiResponse> {
    const { operation, params = {}, body = {} } = this.#call;
    const { services, systems } = this.#service;
    const route = commandRoutes(services).find((each) => each.operation.id === operation);
    if (route === undefined) throw new Error(`no route ${operation}`);
    let begun: CommandIdentity | null = null;
    const execute = (command: CommandIdentity) => {
      begun = command;
      return route.handler(apiRequest({ accountId: ADA, params, body: { ...body }, command }));
    };
    try {
      if (key === undefined) return await execute({ commandId: systems.ids.next(), repeated: false });
      const fingerprint = JSON.stringify(this.#call);
      return await this.#idempotency.run(
        { accountId: ADA, operationId: operation, key, fingerprint, sealer: NOTHING_SEALED },
        execute,
      );
    } catch (error) {
      const foreseen = [EngineUnavailable, AppendRefused].some((kind) => error instanceof kind);
      if (!foreseen) throw error;
      return failureResponse(unavailableResponse(error), begun);
    }
  }

  runDueTasks(): Promise<void> {
    return this.#service.runDueTasksUntil(this.#service.systems.clock.now() + RECOVERY_GRACE);
  }

  async eventTypes(): Promise<readonly string[]> {
    return (await this.#service.systems.log()).map(({ type }) => type).sort();
  }

  /** Nothing is begun and not ended, each seat is its booking's, and points, credit and money add up. */
  async expectNothingAstray(): Promise<void> {
    const { systems } = this.#service;
    const { bookings } = await endState(systems);
    const occupants = await occupantsOfAllFlights(systems);
    const open = (await systems.openDueTasks()).map(({ kind }) => kind).filter((kind) => !WAITING.has(kind));
    const taken = occupants.map(({ seats, change }) => JSON.stringify({ seats, change }));
    const owned = bookings
      .filter(({ status }) => status !== "cancelled")
      .map(({ seats }) => JSON.stringify({ seats, change: null }));
    expect({ open, taken: taken.sort() }).toStrictEqual({ open: [], taken: owned.sort() });
    await checkInvariants(systems);
    await checkMoney(systems);
  }
}

/** Tasks that wait for time to pass. */
const WAITING: ReadonlySet<string> = new Set([
  "assign_seats",
  "expire_hold",
  "expire_booking",
  "end_silence",
  "earn_points",
  "expire_points",
  "settle_refund",
]);
