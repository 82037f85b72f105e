import { dueTaskKey } from "@travel-booking/domain";
import { parseBody } from "@travel-booking/engines/read-store";
import { DUE_TASKS, type ProjectionProgress } from "@travel-booking/read-models";
import type { SecretKey } from "@travel-booking/runtime";
import type { SealedEventStore } from "../command-handling/sealed-event-store.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import { GatewayMonitor } from "../payments/gateway-monitor.ts";
import { PayerTexts } from "../payments/payer-texts.ts";
import { type QuotaSettings, quotas } from "../quotas/quotas.ts";
import type { BankAccount } from "../services.ts";
import type { CatchUpMonitor } from "./catch-up-monitor.ts";

/** Real time: how long the read model may take to show a new hold. */
const HOLD_PROJECTED_WITHIN_MS = 5_000;

export interface CommandServicesOptions
  extends Pick<OperatorServices, "handler" | "gateway" | "state" | "words" | "models" | "clock" | "ids" | "logger">,
    Pick<OperatorServices, "webhooks" | "documents" | "reachedFaultPoint" | "loyaltyRates"> {
  readonly events: SealedEventStore;
  readonly secretKey: SecretKey;
  /** Whether no other process writes. */
  readonly soleWriter: boolean;
  readonly progress: ProjectionProgress;
  readonly catchUpMonitor: CatchUpMonitor;
  readonly settings: QuotaSettings;
  /** As `OperatorServices`; absent: keys are stored in MongoDB. */
  readonly removeTracesOfKeys?: OperatorServices["removeTracesOfKeys"] | undefined;
}

const ON_MONGODB = "the key: in the oplog and journal of MongoDB, until they are written over";

/** The services of the command side, on any engines. */
export function commandServices(options: CommandServicesOptions): OperatorServices {
  const { events, models, progress, catchUpMonitor, logger } = options;
  return {
    ...options,
    gatewayMonitor: new GatewayMonitor(logger),
    payerTexts: new PayerTexts(options),
    waitUncounted: (wait) => wait,
    bankAccount: BANK_ACCOUNT,
    quotas: quotas(options),
    async findFlightOfHold(holdId) {
      await progress.waitUntil(DUE_TASKS.projection, await events.head(), HOLD_PROJECTED_WITHIN_MS);
      const row = await models.body(DUE_TASKS.due.model, dueTaskKey("expire_hold", holdId));
      return row && parseBody<{ readonly flightId: string }>(row).flightId;
    },
    store: events,
    waitUntilProjected: (position) => catchUpMonitor.waitUntilProjected(position),
    removeTracesOfKeys: options.removeTracesOfKeys ?? (async () => ON_MONGODB),
  };
}

/** The sandbox account for bank transfers: the example in the specification of IBANs. */
const BANK_ACCOUNT: BankAccount = { iban: "DE89370400440532013000", bic: "COBADEFFXXX" };
