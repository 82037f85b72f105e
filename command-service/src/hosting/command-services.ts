import { obligationKey } from "@travel-booking/domain";
import type { EventStore } from "@travel-booking/engines/event-store";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { PaymentGateway } from "@travel-booking/payment-gateway";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { OBLIGATIONS } from "@travel-booking/read-models";
import type { Clock, CommandIds, Logger } from "@travel-booking/runtime";
import type { DocumentServices } from "../documents/document-services.ts";
import type { CommandHandler } from "../handling/command-handler.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import type { WebhookServices } from "../webhooks/webhook-services.ts";
import { BANK_ACCOUNT } from "./bank-account.ts";
import { faultPoint } from "./fault-points.ts";
import type { Standing } from "./standing.ts";

/** Real time: how long a hold that is new may take to be found. */
const FOUND_MS = 5_000;

export interface CommandServicesOptions {
  readonly handler: CommandHandler;
  readonly gateway: PaymentGateway;
  readonly events: EventStore;
  readonly state: StateStore;
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  readonly standing: Standing;
  readonly clock: Clock;
  readonly ids: CommandIds;
  readonly webhooks: WebhookServices;
  readonly documents: DocumentServices;
  readonly logger: Logger;
}

/** What the command side works with, on whatever engines. */
export function commandServices(options: CommandServicesOptions): OperatorServices {
  const { handler, gateway, events, state, models, progress, standing, clock, ids, webhooks, documents, logger } =
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
    async findHold(holdId) {
      await progress.waitUntil(OBLIGATIONS.projection, await events.head(), FOUND_MS);
      const row = await models.body(OBLIGATIONS.due.model, obligationKey("expire_hold", holdId));
      return row && parseBody<{ readonly flightId: string }>(row).flightId;
    },
    reached: faultPoint(process.env),
    store: events,
    state,
    models,
    projected: (position) => standing.inForce(position),
  };
}
