import { dueTaskKey, type LoyaltyRates } from "@travel-booking/domain";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { PaymentGateway } from "@travel-booking/payment-gateway";
import { DUE_TASKS, type ProjectionProgress } from "@travel-booking/read-models";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { Clock, CommandIdGenerator, Logger } from "@travel-booking/runtime";
import type { CommandHandler } from "../command-handling/command-handler.ts";
import type { SealedEventStore } from "../command-handling/sealed-event-store.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import { GatewayMonitor } from "../payments/gateway-monitor.ts";
import { type QuotaSettings, quotas } from "../quotas/quotas.ts";
import type { BankAccount, DocumentServices, FaultPoint, WebhookServices } from "../services.ts";
import type { CatchUpMonitor } from "./catch-up-monitor.ts";

/** Real time: how long the read model may take to show a new hold. */
const HOLD_PROJECTED_WITHIN_MS = 5_000;

export interface CommandServicesOptions {
  readonly handler: CommandHandler;
  readonly gateway: PaymentGateway;
  readonly events: SealedEventStore;
  /** Whether no other process writes. */
  readonly soleWriter: boolean;
  readonly state: StateStore;
  readonly words: SealedWords;
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  readonly catchUpMonitor: CatchUpMonitor;
  readonly clock: Clock;
  readonly ids: CommandIdGenerator;
  readonly webhooks: WebhookServices;
  readonly documents: DocumentServices;
  readonly reachedFaultPoint: FaultPoint;
  readonly loyaltyRates: LoyaltyRates;
  readonly logger: Logger;
  readonly settings: QuotaSettings;
  /** As `OperatorServices`; absent: keys are stored in MongoDB. */
  readonly beforeKeyIsErased?: (() => string) | undefined;
}

const ON_MONGODB = "the key: in the oplog and journal of MongoDB, until they are written over";

/** The services of the command side, on any engines. */
export function commandServices(options: CommandServicesOptions): OperatorServices {
  const { handler, gateway, events, state, models, progress, catchUpMonitor, clock, ids, logger } = options;
  const { words, webhooks, documents, loyaltyRates, reachedFaultPoint } = options;
  return {
    handler,
    gateway,
    gatewayMonitor: new GatewayMonitor(logger),
    clock,
    ids,
    logger,
    bankAccount: BANK_ACCOUNT,
    webhooks,
    documents,
    quotas: quotas(options),
    loyaltyRates,
    async findFlightOfHold(holdId) {
      await progress.waitUntil(DUE_TASKS.projection, await events.head(), HOLD_PROJECTED_WITHIN_MS);
      const row = await models.body(DUE_TASKS.due.model, dueTaskKey("expire_hold", holdId));
      return row && parseBody<{ readonly flightId: string }>(row).flightId;
    },
    reachedFaultPoint,
    store: events,
    state,
    words,
    models,
    waitUntilProjected: (position) => catchUpMonitor.waitUntilProjected(position),
    beforeKeyIsErased: options.beforeKeyIsErased ?? (() => ON_MONGODB),
  };
}

/** The sandbox account for bank transfers: the example in the specification of IBANs. */
const BANK_ACCOUNT: BankAccount = { iban: "DE89370400440532013000", bic: "COBADEFFXXX" };
