import {
  CommandHandler,
  type CommandServices,
  commandRoutes,
  meetObligation,
  Scheduler,
  webhookServices,
} from "@travel-booking/command-service";
import { apiRequest, NO_DOCUMENTS, openObligations, readLog } from "@travel-booking/command-service/testing";
import {
  type BookingCommand,
  bookingDecider,
  type FlightCommand,
  flightDecider,
  type LoyaltyCommand,
  loyaltyDecider,
} from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, Idempotency } from "@travel-booking/http";
import { silentLogger } from "@travel-booking/runtime";
import { DeliveryLog } from "@travel-booking/webhooks/deliveries";
import { Life } from "./life.ts";
import type { Outside } from "./outside.ts";
import { SlowEventStore, slowGateway, slowStates } from "./slow-stores.ts";

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
  /** An obligation could not be met this time. */
  readonly failed: (error: unknown) => void;
}

/** Of every length a pause may have: what is drawn is whose turn it is. */
const HALF = 0.5;

/** The writing side of the service, for as long as it lives. */
export class ServiceProcess {
  readonly life: Life;
  readonly #outside: Outside;
  readonly #handler: CommandHandler;
  readonly #idempotency: Idempotency;
  readonly #routes: ReadonlyMap<string, (request: ApiRequest<never, never>) => ApiResponse | Promise<ApiResponse>>;
  readonly #scheduler: Scheduler;
  #cutOffUntil = 0;

  constructor(outside: Outside, { exclusive, failed }: ProcessOptions) {
    const { clock, ids } = outside;
    this.#outside = outside;
    this.life = new Life(outside.interleaving, outside.time);
    const { reached, turn } = this.life;
    const realTime = outside.time.seenBy(turn);
    const store = new SlowEventStore(outside, this.life, exclusive);
    this.#handler = new CommandHandler({ store, clock, realTime, ids, random: () => HALF });
    const state = slowStates(outside, this.life, () => this.#cutOffUntil);
    this.#idempotency = new Idempotency({
      store: state,
      clock,
      commandIds: ids,
      alone: exclusive,
      holder: ids.next(),
      realTime,
    });
    const services: CommandServices = {
      handler: this.#handler,
      gateway: slowGateway(outside, this.life),
      clock,
      ids,
      realTime,
      logger: silentLogger,
      bankAccount: { iban: "DE89370400440532013000", bic: "COBADEFFXXX" },
      findHold: async () => undefined,
      documents: NO_DOCUMENTS,
      webhooks: webhookServices({
        state,
        secretKey: "secret",
        allowPrivateTargets: true,
        deliveries: new DeliveryLog({ store: state }),
      }),
      reached,
    };
    this.#routes = new Map(commandRoutes(services).map(({ operation, handler }) => [operation.id, handler]));
    this.#scheduler = new Scheduler({
      clock,
      realTime,
      list: { dueBy: (now, limit) => this.#due(now, limit) },
      meet: (obligation) => meetObligation(services, obligation),
      listed: async () => undefined,
      failed: (_, error) => failed(error),
    });
  }

  /** For so many milliseconds of real time nothing it asks of its records gets through; all else goes on. */
  cutOff(milliseconds: number): void {
    this.#cutOffUntil = this.#outside.time.now + milliseconds;
  }

  /** Answers a request, once per key. */
  answer({ operation, accountId, key, params, body }: Call): Promise<ApiResponse> {
    const handle = this.#routes.get(operation);
    if (handle === undefined) throw new Error(`no route ${operation}`);
    const fingerprint = JSON.stringify([operation, params, body]);
    return this.#idempotency.run({ accountId, operationId: operation, key, fingerprint }, async (command) => {
      this.#outside.commandOf.set(key, command.commandId);
      return handle(apiRequest({ accountId, params, body, command }));
    });
  }

  /** Does what has fallen due. */
  timers(): Promise<number> {
    return this.#scheduler.meetDue();
  }

  /** What an operator or the catalogue asks of one stream. */
  async operate(
    command:
      | { readonly flightId: string; readonly command: FlightCommand }
      | { readonly bookingId: string; readonly command: BookingCommand }
      | { readonly accountId: string; readonly command: LoyaltyCommand },
  ): Promise<string | undefined> {
    const context = {
      accountId: null,
      actor: { kind: "operator", id: "operator" },
      requestId: null,
      causationId: null,
      commandId: this.#outside.ids.next(),
      repeated: false,
    } as const;
    const reply = () => undefined;
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

  async #due(now: number, limit: number) {
    const open = openObligations(await readLog(this.#outside.store));
    await this.life.turn("list due");
    return open.filter(({ obligation }) => obligation.dueAt <= now).slice(0, limit);
  }
}
