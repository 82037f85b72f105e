import {
  CommandHandler,
  type CommandServices,
  commandRoutes,
  GatewayMonitor,
  receiveMoney,
  reverseMoney,
  runDueTask,
  Scheduler,
  webhookServices,
} from "@travel-booking/command-service";
import {
  apiRequest,
  NO_DOCUMENTS,
  NO_QUOTAS,
  NOTHING_SEALED,
  openDueTasks,
  readLog,
} from "@travel-booking/command-service/testing";
import {
  type BankEntry,
  type BookingCommand,
  bankEntryDecider,
  bookingDecider,
  changesOf,
  type FlightChange,
  type FlightCommand,
  type FlightEvent,
  flightDecider,
  fold,
  type LoyaltyCommand,
  loyaltyDecider,
  type MarkEntryReturned,
  type TransferMatch,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { type ApiRequest, type ApiResponse, Idempotency } from "@travel-booking/http";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { silentLogger } from "@travel-booking/runtime";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { LOYALTY_RATES } from "../scenario.ts";
import type { ExternalSystems } from "./external-systems.ts";
import { InterleavedEventStore, interleavedGateway, interleavedStateStore } from "./interleaved-systems.ts";
import { ProcessLifetime } from "./process-lifetime.ts";

export interface Call {
  readonly operation: string;
  readonly accountId: string;
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface ProcessOptions {
  /** Whether it is the only process writing. */
  readonly exclusive: boolean;
  /** An task could not be met this time. */
  readonly onFailed: (error: unknown) => void;
}

/** Of every length a pause may have: what is drawn is whose turn it is. */
const RANDOM_VALUE = 0.5;

/** The writing side of the service, for as long as it lives. */
export class ServiceProcess {
  readonly lifetime: ProcessLifetime;
  readonly #outside: ExternalSystems;
  readonly #handler: CommandHandler;
  readonly #services: CommandServices;
  readonly #idempotency: Idempotency;
  readonly #routes: ReadonlyMap<string, (request: ApiRequest<never, never>) => ApiResponse | Promise<ApiResponse>>;
  readonly #scheduler: Scheduler;
  /** What it knows of disrupted flights. */
  #news: ReadonlyMap<string, readonly FlightChange[]> = new Map();
  #cutOffUntil = 0;

  constructor(outside: ExternalSystems, { exclusive, onFailed }: ProcessOptions) {
    const { clock, ids } = outside;
    this.#outside = outside;
    this.lifetime = new ProcessLifetime(outside.interleaving, outside.time);
    const { reachedFaultPoint, turn } = this.lifetime;
    const realTime = outside.time.realTimeFor(turn);
    const store = new InterleavedEventStore(outside, this.lifetime, exclusive);
    const news = (flightId: string) => this.#news.get(flightId) ?? [];
    this.#handler = new CommandHandler({ store, clock, realTime, ids, random: () => RANDOM_VALUE, news });
    const name = ids.next();
    const state = interleavedStateStore(outside, this.lifetime, () => this.#cutOffUntil);
    this.#idempotency = new Idempotency({
      store: state,
      clock,
      commandIds: ids,
      holder: exclusive ? null : name,
      realTime,
    });
    this.#services = {
      handler: this.#handler,
      gateway: interleavedGateway(outside, this.lifetime),
      gatewayMonitor: new GatewayMonitor(silentLogger, realTime),
      clock,
      ids,
      realTime,
      logger: silentLogger,
      quotas: NO_QUOTAS,
      bankAccount: { iban: "DE89370400440532013000", bic: "COBADEFFXXX" },
      loyaltyRates: LOYALTY_RATES,
      findFlightOfHold: async () => undefined,
      waitUncounted: (wait) => wait,
      documents: NO_DOCUMENTS,
      words: new SealedWords({ state, secretKey: "secret", shared: false }),
      webhooks: webhookServices({
        state,
        secretKey: "secret",
        targets: { allowPrivate: true, ports: [] },
        deliveries: new EndpointDeliveries({ store: state }),
      }),
      reachedFaultPoint,
    };
    this.#routes = new Map(commandRoutes(this.#services).map(({ operation, handler }) => [operation.id, handler]));
    this.#scheduler = new Scheduler({
      clock,
      realTime,
      list: { dueBy: (now, limit) => this.#due(now, limit) },
      run: (task) => runDueTask(this.#services, task),
      waitUntilListed: async () => undefined,
      onFailed: (_, error) => onFailed(error),
    });
  }

  /** For so many milliseconds of real time nothing it asks of its records gets through; all else goes on. */
  partitionStateStore(milliseconds: number): void {
    this.#cutOffUntil = this.#outside.time.now + milliseconds;
  }

  /** Answers a request, once per key. */
  handleRequest({ operation, accountId, key, params, body }: Call): Promise<ApiResponse> {
    const handle = this.#routes.get(operation);
    if (handle === undefined) throw new Error(`no route ${operation}`);
    const fingerprint = JSON.stringify([operation, params, body]);
    const request = { accountId, operationId: operation, key, fingerprint, sealer: NOTHING_SEALED };
    return this.#idempotency.run(request, async (command) => {
      this.#outside.commandIdByKey.set(key, command.commandId);
      return handle(apiRequest({ accountId, params, body, command }));
    });
  }

  /** Does what has fallen due. */
  runDueTasks(): Promise<number> {
    return this.#scheduler.runDue();
  }

  /** Money on the bank account; answers why it was refused, if it was. */
  async receiveMoney(entry: BankEntry, match: TransferMatch | null): Promise<string | undefined> {
    const outcome = await receiveMoney(this.#services, entry, match, () => this.#operatorContext());
    return outcome.accepted ? undefined : outcome.rejection.code;
  }

  /** An operator takes an entry back; answers why not, if it was refused. */
  async reverseMoney(entryId: string, cancelBooking: boolean): Promise<string | undefined> {
    const reversal = { entryId, reason: "mistyped", cancelBooking };
    const outcome = await reverseMoney(this.#services, reversal, undefined, () => this.#operatorContext());
    return outcome.accepted ? undefined : outcome.rejection.code;
  }

  /** What an operator or the catalogue asks of one stream. */
  async executeOperatorCommand(
    command:
      | { readonly entryId: string; readonly command: MarkEntryReturned }
      | { readonly flightId: string; readonly command: FlightCommand }
      | { readonly bookingId: string; readonly command: BookingCommand }
      | { readonly accountId: string; readonly command: LoyaltyCommand },
  ): Promise<string | undefined> {
    const context = this.#operatorContext();
    const reply = () => undefined;
    if ("entryId" in command) {
      const stream = `bankEntry-${command.entryId}`;
      const asked = { stream, decider: bankEntryDecider, command: command.command, context, reply };
      const given = await this.#handler.execute(asked);
      return given.accepted ? undefined : given.rejection.code;
    }
    if ("accountId" in command) {
      const stream = `loyalty-${command.accountId}`;
      const asked = { stream, decider: loyaltyDecider, command: command.command, context, reply };
      const given = await this.#handler.execute(asked);
      return given.accepted ? undefined : given.rejection.code;
    }
    const outcome = await ("flightId" in command
      ? this.#handler.execute({
          stream: `flight-${command.flightId}`,
          decider: flightDecider,
          command: command.command,
          context,
          reply,
        })
      : this.#handler.execute({
          stream: `booking-${command.bookingId}`,
          decider: bookingDecider,
          command: command.command,
          context,
          reply,
        }));
    return outcome.accepted ? undefined : outcome.rejection.code;
  }

  #operatorContext() {
    return {
      accountId: null,
      actor: { kind: "operator", id: "operator" },
      requestId: null,
      causationId: null,
      commandId: this.#outside.ids.next(),
      attempt: { repeated: false },
    } as const;
  }

  async #due(now: number, limit: number) {
    const log = await readLog(this.#outside.eventStore);
    const open = openDueTasks(log);
    // It learns of disruptions when it looks, and is behind until then.
    this.#news = newsIn(log);
    await this.lifetime.turn("list due");
    return open.filter(({ task }) => task.dueAt <= now).slice(0, limit);
  }
}

function newsIn(log: readonly RecordedEvent[]): ReadonlyMap<string, readonly FlightChange[]> {
  const news = new Map<string, readonly FlightChange[]>();
  for (const { type, stream } of log) {
    if (!/^(?:FlightCancelled|FlightReinstated|FlightRetimed|EquipmentChanged)$/.test(type)) continue;
    const ofFlight = log.filter((event) => event.stream === stream) as unknown as readonly FlightEvent[];
    news.set(stream.slice("flight-".length), changesOf(fold(flightDecider, ofFlight)));
  }
  return news;
}
