import type { BookingBody, PaymentBody, RefundBody, SeatHoldBody } from "@travel-booking/api-contract";
import type { BookingCommand, FlightPlan } from "@travel-booking/domain";
import { bookingDecider, flightDecider } from "@travel-booking/domain";
import { InMemoryEventStore, type RecordedEvent, START } from "@travel-booking/engines/event-store";
import { InMemoryStateStore } from "@travel-booking/engines/state-store";
import { type LedgerEntry, SandboxGateway } from "@travel-booking/payment-gateway";
import { FaultyGateway } from "@travel-booking/payment-gateway/testing";
import { countedCommandIds, ManualClock, silentLogger } from "@travel-booking/runtime";
import { DeliveryLog } from "@travel-booking/webhooks/deliveries";
import {
  CommandHandler,
  type CommandServices,
  commandRoutes,
  meetObligation,
  webhookServices,
} from "../../src/index.ts";
import { systemContext } from "../../src/policies/system-context.ts";
import { apiRequest, NO_DOCUMENTS, openObligations, readLog } from "../../testing/index.ts";
import { type Life, MortalEventStore, mortalGateway, ProcessDied } from "./mortal.ts";
import { ADA, BANK, FLIGHT, plan, soonPlan, T0 } from "./sample.ts";

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

export interface Asked {
  readonly accountId?: string;
  /** Under this command id: a client's retry of what an earlier process began. */
  readonly repeats?: string;
}

/** What survives the process. */
export class Disk {
  readonly store = new InMemoryEventStore();
  readonly state = new InMemoryStateStore();
  readonly sandbox = new SandboxGateway(new InMemoryStateStore());
  readonly gateway = new FaultyGateway(this.sandbox);
  readonly clock = new ManualClock(T0);
  readonly ids = countedCommandIds();
  /** Waits end at once, and this is how long they would have been in all. */
  waited = 0;
  #seen = START;

  /** The events since the last time, without what the store adds to them. */
  async fresh(): Promise<readonly { readonly stream: string; readonly type: string; readonly data: unknown }[]> {
    const events = await readLog(this.store, this.#seen);
    this.#seen = events.at(-1)?.position ?? this.#seen;
    return events.map(({ stream, type, data }) => ({ stream, type, data }));
  }

  async freshTypes(): Promise<readonly string[]> {
    return (await this.fresh()).map((event) => event.type);
  }

  log(): Promise<readonly RecordedEvent[]> {
    return readLog(this.store);
  }

  /** The gateway's books. */
  ledger(): Promise<readonly LedgerEntry[]> {
    return Array.fromAsync(this.sandbox.ledger.entries());
  }

  async obligations() {
    return openObligations(await this.log()).map(({ obligation }) => obligation);
  }
}

/** The writing side of the service, on a disk that may have a past. */
export class Service {
  readonly disk: Disk;
  readonly services: CommandServices;
  readonly #life: Life = { ended: false };

  /** `at`: the fault point where the process ends, the first time it gets there; or what to do at every one. */
  constructor(disk: Disk, at?: string | ((point: string) => void)) {
    this.disk = disk;
    const { clock, ids, state } = disk;
    const realTime = {
      now: () => disk.waited,
      pause: async (milliseconds: number) => {
        disk.waited += milliseconds;
      },
    };
    this.services = {
      handler: new CommandHandler({ store: new MortalEventStore(disk.store, this.#life), clock, realTime, ids }),
      gateway: mortalGateway(disk.gateway, this.#life),
      clock,
      ids,
      realTime,
      logger: silentLogger,
      bankAccount: BANK,
      documents: NO_DOCUMENTS,
      webhooks: webhookServices({
        state,
        secretKey: "secret",
        allowPrivateTargets: false,
        deliveries: new DeliveryLog({ store: state }),
      }),
      findHold: async (holdId) => this.#flightOfHold(holdId),
      reached: (name) => {
        if (typeof at === "function") at(name);
        else if (name === at) this.#life.ended = true;
        if (this.#life.ended) throw new ProcessDied();
      },
    };
  }

  /** A service on an empty disk with two flights on sale. */
  static async open(at?: string | ((point: string) => void)): Promise<Service> {
    const disk = new Disk();
    const first = new Service(disk);
    await first.schedule(plan);
    await first.schedule(soonPlan);
    await disk.fresh();
    return new Service(disk, at);
  }

  hold(seats: readonly string[], asked?: Asked & { readonly flightId?: string }): Promise<Answer<SeatHoldBody>> {
    return this.call("createSeatHold", { id: asked?.flightId ?? FLIGHT }, { seats }, asked);
  }

  release(holdId: string, asked?: Asked): Promise<Answer<undefined>> {
    return this.call("releaseSeatHold", { id: FLIGHT, holdId }, {}, asked);
  }

  book(body: object, asked?: Asked): Promise<Answer<BookingBody>> {
    return this.call("createBooking", {}, { flightId: FLIGHT, cabin: "economy", ...body }, asked);
  }

  change(bookingId: string, body: object, asked?: Asked): Promise<Answer<BookingBody>> {
    return this.call("changeBooking", { id: bookingId }, body, asked);
  }

  cancel(bookingId: string, asked?: Asked, body: object = {}): Promise<Answer<BookingBody>> {
    return this.call("cancelBooking", { id: bookingId }, body, asked);
  }

  pay(bookingId: string, token = "tok_visa", asked?: Asked): Promise<Answer<PaymentBody>> {
    return this.call("createPayment", { id: bookingId }, { type: "card", token, saveCard: false }, asked);
  }

  transfer(bookingId: string, asked?: Asked): Promise<Answer<PaymentBody>> {
    return this.call("createPayment", { id: bookingId }, { type: "bank_transfer" }, asked);
  }

  refund(paymentId: string, body: object = {}, asked?: Asked): Promise<Answer<RefundBody>> {
    return this.call("createRefund", { id: paymentId }, { reason: "requested_by_customer", ...body }, asked);
  }

  /** @throws ProcessDied the process came to its end on the way: nobody got an answer. */
  async call<Body>(
    operation: string,
    params: Readonly<Record<string, string>>,
    body: unknown,
    { accountId = ADA, repeats }: Asked = {},
  ): Promise<Answer<Body>> {
    const route = commandRoutes(this.services).find((each) => each.operation.id === operation);
    if (route === undefined) throw new Error(`no route ${operation}`);
    const command = { commandId: repeats ?? this.disk.ids.next(), repeated: repeats !== undefined };
    const { status, json } = await route.handler(apiRequest({ accountId, params, body, command }));
    if (this.#life.ended) throw new ProcessDied();
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
    await this.services.handler.execute({
      stream: `flight-${flight.flightId}`,
      decider: flightDecider,
      command: { type: "ScheduleFlight", plan: flight },
      context: systemContext(this.services),
      reply: () => undefined,
    });
  }

  /** Does what is owed, from due time to due time, up to this moment. */
  async until(moment: number): Promise<void> {
    const { clock } = this.disk;
    for (;;) {
      const soonest = (await this.disk.obligations()).at(0);
      if (soonest === undefined || soonest.dueAt > moment) break;
      clock.set(Math.max(clock.now(), soonest.dueAt));
      await meetObligation(this.services, soonest);
    }
    clock.set(Math.max(clock.now(), moment));
  }

  async #flightOfHold(holdId: string): Promise<string | undefined> {
    const held = (await this.disk.log()).find(
      (event) => event.type === "SeatsHeld" && (event.data as { readonly holdId: string }).holdId === holdId,
    );
    return held?.stream.slice("flight-".length);
  }
}
