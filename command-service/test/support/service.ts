import type { BookingBody, PaymentBody, RefundBody, SeatHoldBody } from "@travel-booking/api-contract";
import type {
  BookingCommand,
  DisruptionPolicy,
  DueTask,
  FlightChange,
  FlightCommand,
  FlightPlan,
} from "@travel-booking/domain";
import { bookingDecider, changesOf, dueSortKey, flightDecider } from "@travel-booking/domain";
import { type EventStore, type RecordedEvent, START } from "@travel-booking/engines/event-store";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import type { LedgerEntry } from "@travel-booking/payment-gateway/sandbox";
import { SandboxGateway } from "@travel-booking/payment-gateway/sandbox";
import { FaultyGateway } from "@travel-booking/payment-gateway/testing";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { ManualClock, sequentialCommandIds, silentLogger } from "@travel-booking/runtime";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { systemContext } from "../../src/command-handling/command.ts";
import { CommandHandler, type CommandServices, commandRoutes, runDueTask, webhookServices } from "../../src/index.ts";
import { GatewayMonitor } from "../../src/payments/gateway-monitor.ts";
import type { Quotas } from "../../src/quotas/quotas.ts";
import type { DocumentServices } from "../../src/services.ts";
import { apiRequest, NO_DOCUMENTS, NO_QUOTAS, openDueTasks, readLog } from "../../testing/index.ts";
import { CrashableEventStore, crashableGateway, ProcessCrashed, type ProcessLifetime } from "./crashable.ts";
import { ADA, BANK, FLIGHT, LOYALTY_RATES, plan, soonPlan, T0 } from "./sample.ts";

export interface CallResponse<Body> {
  readonly status: number;
  readonly body: Body;
}

export interface CallOptions {
  readonly accountId?: string;
  /** Under this command id: a client's retry of what an earlier process began. */
  readonly repeatedCommandId?: string;
}

/** What survives the process. */
export class ExternalSystems {
  readonly store: EventStore;
  readonly state = new InMemoryStateStore();
  readonly sandbox = new SandboxGateway(new InMemoryStateStore());
  readonly gateway = new FaultyGateway(this.sandbox);
  readonly clock = new ManualClock(T0);
  readonly ids = sequentialCommandIds();
  /** Unpaid seats by default, and nothing else. */
  quotas: Quotas = { ...NO_QUOTAS, unpaidSeatsPercent: 20 };
  /** Their files are missing, so that they are left to an operator. */
  readonly documents: DocumentServices = {
    ...NO_DOCUMENTS,
    uploads: { ...NO_DOCUMENTS.uploads, read: async () => undefined },
  };
  /** Waits end at once, and this is how long they would have been in all. */
  waitedMs = 0;
  #seen = START;

  constructor(store: EventStore = new InMemoryEventStore()) {
    this.store = store;
  }

  /** The events since the last time, without what the store adds to them. */
  async newEvents(): Promise<readonly { readonly stream: string; readonly type: string; readonly data: unknown }[]> {
    const events = await readLog(this.store, this.#seen);
    this.#seen = events.at(-1)?.position ?? this.#seen;
    return events.map(({ stream, type, data }) => ({ stream, type, data }));
  }

  async newEventTypes(): Promise<readonly string[]> {
    return (await this.newEvents()).map((event) => event.type);
  }

  log(): Promise<readonly RecordedEvent[]> {
    return readLog(this.store);
  }

  /** The gateway's books. */
  ledger(): Promise<readonly LedgerEntry[]> {
    return Array.fromAsync(this.sandbox.ledger.entries());
  }

  async openDueTasks() {
    return openDueTasks(await this.log()).map(({ task }) => task);
  }

  /** As the read model lists them. */
  readonly dueTaskList = {
    dueBy: async (now: number, limit: number, after?: string) =>
      openDueTasks(await this.log())
        .filter(({ key, task }) => task.dueAt <= now && (after === undefined || dueSortKey(task.dueAt, key) > after))
        .slice(0, limit),
  };
}

/** The writing side of the service, on a disk that may have a past. */
export class Service {
  readonly systems: ExternalSystems;
  readonly services: CommandServices;
  readonly #life: ProcessLifetime = { ended: false };
  /** What this process knows of disrupted flights. */
  readonly news = new Map<string, readonly FlightChange[]>();

  /**
   * `at`: the fault point where the process ends, the first time it gets there; or what to do at every one.
   * `instance`: names it, where others write, too.
   */
  constructor(disk: ExternalSystems, at?: string | ((point: string) => void), instance?: string) {
    this.systems = disk;
    const { clock, ids, state } = disk;
    const realTime = {
      now: () => disk.waitedMs,
      pause: async (milliseconds: number) => {
        disk.waitedMs += milliseconds;
      },
    };
    this.services = {
      handler: new CommandHandler({
        store: new CrashableEventStore(disk.store, this.#life),
        clock,
        realTime,
        ids,
        instance,
        news: (flightId) => this.news.get(flightId) ?? [],
      }),
      gateway: crashableGateway(disk.gateway, this.#life),
      gatewayMonitor: new GatewayMonitor(silentLogger),
      clock,
      ids,
      realTime,
      logger: silentLogger,
      bankAccount: BANK,
      loyaltyRates: LOYALTY_RATES,
      documents: disk.documents,
      words: new SealedWords({ state, secretKey: "secret", shared: false }),
      quotas: disk.quotas,
      webhooks: webhookServices({
        state,
        secretKey: "secret",
        targets: { allowPrivate: false, ports: [] },
        deliveries: new EndpointDeliveries({ store: state }),
      }),
      findFlightOfHold: async (holdId) => this.#flightOfHold(holdId),
      reachedFaultPoint: (name) => {
        if (typeof at === "function") at(name);
        else if (name === at) this.#life.ended = true;
        if (this.#life.ended) throw new ProcessCrashed();
      },
      waitUncounted: (wait) => wait,
    };
  }

  /** A service on an empty disk with two flights on sale. */
  static async start(at?: string | ((point: string) => void), disk = new ExternalSystems()): Promise<Service> {
    const first = new Service(disk);
    await first.schedule(plan);
    await first.schedule(soonPlan);
    await disk.newEvents();
    return new Service(disk, at);
  }

  hold(
    seats: readonly string[],
    asked?: CallOptions & { readonly flightId?: string },
  ): Promise<CallResponse<SeatHoldBody>> {
    return this.call("createSeatHold", { id: asked?.flightId ?? FLIGHT }, { seats }, asked);
  }

  release(holdId: string, asked?: CallOptions): Promise<CallResponse<undefined>> {
    return this.call("releaseSeatHold", { id: FLIGHT, holdId }, {}, asked);
  }

  book(body: object, asked?: CallOptions): Promise<CallResponse<BookingBody>> {
    return this.call("createBooking", {}, { flightId: FLIGHT, cabin: "economy", ...body }, asked);
  }

  change(bookingId: string, body: object, asked?: CallOptions): Promise<CallResponse<BookingBody>> {
    return this.call("changeBooking", { id: bookingId }, body, asked);
  }

  cancel(bookingId: string, asked?: CallOptions, body: object = {}): Promise<CallResponse<BookingBody>> {
    return this.call("cancelBooking", { id: bookingId }, body, asked);
  }

  pay(bookingId: string, token = "tok_visa", asked?: CallOptions): Promise<CallResponse<PaymentBody>> {
    return this.call("createPayment", { id: bookingId }, { type: "card", token, saveCard: false }, asked);
  }

  transfer(bookingId: string, asked?: CallOptions): Promise<CallResponse<PaymentBody>> {
    return this.call("createPayment", { id: bookingId }, { type: "bank_transfer" }, asked);
  }

  refund(paymentId: string, body: object = {}, asked?: CallOptions): Promise<CallResponse<RefundBody>> {
    return this.call("createRefund", { id: paymentId }, { reason: "requested_by_customer", ...body }, asked);
  }

  /** @throws ProcessDied the process came to its end on the way: nobody got an answer. */
  async call<Body>(
    operation: string,
    params: Readonly<Record<string, string>>,
    body: unknown,
    { accountId = ADA, repeatedCommandId }: CallOptions = {},
  ): Promise<CallResponse<Body>> {
    const route = commandRoutes(this.services).find((each) => each.operation.id === operation);
    if (route === undefined) throw new Error(`no route ${operation}`);
    const command = {
      commandId: repeatedCommandId ?? this.systems.ids.next(),
      repeated: repeatedCommandId !== undefined,
    };
    const { status, json } = await route.handler(apiRequest({ accountId, params, body, command }));
    if (this.#life.ended) throw new ProcessCrashed();
    return { status, body: (json === null ? undefined : JSON.parse(String(json))) as Body };
  }

  /** A command nobody has a request for: the operator's, or the bank's. */
  async onBooking(bookingId: string, command: BookingCommand): Promise<string | undefined> {
    const outcome = await this.services.handler.execute({
      stream: `booking-${bookingId}`,
      decider: bookingDecider,
      command,
      context: systemContext(this.services),
      reply: () => undefined,
    });
    return outcome.accepted ? undefined : outcome.rejection.code;
  }

  async schedule(flight: FlightPlan): Promise<void> {
    await this.onFlight({ type: "ScheduleFlight", plan: flight }, flight.flightId);
  }

  /** The operator's, or the sweep's. Returns what has happened to the flight. */
  async onFlight(command: FlightCommand, flightId = FLIGHT): Promise<readonly FlightChange[]> {
    const outcome = await this.services.handler.execute({
      stream: `flight-${flightId}`,
      decider: flightDecider,
      command,
      context: systemContext(this.services),
      reply: changesOf,
    });
    if (!outcome.accepted) throw new Error(outcome.rejection.code);
    return outcome.reply;
  }

  /** This process, or all there are, may know nothing of it. */
  async cancelFlight({
    told = true,
    policy = "refund",
    into,
  }: {
    readonly told?: boolean;
    readonly policy?: DisruptionPolicy;
    readonly into?: readonly string[];
  } = {}): Promise<void> {
    const cancelling = {
      type: "CancelFlight",
      disruptionId: "dis_1",
      revision: 0,
      policy,
      ...(into && { into }),
      reason: null,
    } as const;
    const changes = await this.onFlight(cancelling);
    if (told) this.news.set(FLIGHT, changes);
  }

  /** Runs these tasks, and no others. */
  async runTasks(tasks: readonly DueTask[]): Promise<void> {
    for (const task of tasks) await runDueTask(this.services, task);
  }

  /** Runs what is due, from due time to due time, up to this moment. */
  async runDueTasksUntil(moment: number): Promise<void> {
    const { clock } = this.systems;
    for (;;) {
      const soonest = (await this.systems.openDueTasks()).at(0);
      if (soonest === undefined || soonest.dueAt > moment) break;
      clock.set(Math.max(clock.now(), soonest.dueAt));
      await runDueTask(this.services, soonest);
    }
    clock.set(Math.max(clock.now(), moment));
  }

  async #flightOfHold(holdId: string): Promise<string | undefined> {
    const held = (await this.systems.log()).find(
      (event) => event.type === "SeatsHeld" && (event.data as { readonly holdId: string }).holdId === holdId,
    );
    return held?.stream.slice("flight-".length);
  }
}
