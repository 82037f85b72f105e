import { dueTaskKey } from "@travel-booking/domain";
import type { EventStore } from "@travel-booking/engines/event-store";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { PaymentGateway } from "@travel-booking/payment-gateway";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { DUE_TASKS } from "@travel-booking/read-models";
import type { Clock, CommandIdGenerator, Logger } from "@travel-booking/runtime";
import type { CommandHandler } from "../command-handling/command-handler.ts";
import type { DocumentServices } from "../documents/document-services.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import type { WebhookServices } from "../webhooks/webhook-services.ts";
import { BANK_ACCOUNT } from "./bank-account.ts";
import type { CatchUpMonitor } from "./catch-up-monitor.ts";
import { faultPointFromEnvironment } from "./fault-points.ts";

/** Real time: how long a hold that is new may take to be found. */
const HOLD_PROJECTED_WITHIN_MS = 5_000;

export interface CommandServicesOptions {
  readonly handler: CommandHandler;
  readonly gateway: PaymentGateway;
  readonly events: EventStore;
  readonly state: StateStore;
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  readonly catchUpMonitor: CatchUpMonitor;
  readonly clock: Clock;
  readonly ids: CommandIdGenerator;
  readonly webhooks: WebhookServices;
  readonly documents: DocumentServices;
  readonly logger: Logger;
}

/** What the command side works with, on whatever engines. */
export function commandServices(options: CommandServicesOptions): OperatorServices {
  const { handler, gateway, events, state, models, progress, catchUpMonitor, clock, ids, webhooks, documents, logger } =
    options;
  return {
    handler,
    gateway,
    clock,
    ids,
    logger,
    bankAccount: BANK_ACCOUNT,
    webhooks,
    documents,
    async findFlightOfHold(holdId) {
      await progress.waitUntil(DUE_TASKS.projection, await events.head(), HOLD_PROJECTED_WITHIN_MS);
      const row = await models.body(DUE_TASKS.due.model, dueTaskKey("expire_hold", holdId));
      return row && parseBody<{ readonly flightId: string }>(row).flightId;
    },
    reachedFaultPoint: faultPointFromEnvironment(process.env),
    store: events,
    state,
    models,
    waitUntilProjected: (position) => catchUpMonitor.waitUntilProjected(position),
  };
}
