import type { CommandHandler, OperatorServices } from "@travel-booking/command-service";
import { obligationKey } from "@travel-booking/domain";
import { SandboxGateway } from "@travel-booking/payment-gateway";
import type { ProjectorClient } from "@travel-booking/projector";
import { OBLIGATIONS } from "@travel-booking/read-models";
import { parseBody, type ReadModels } from "@travel-booking/read-store";
import type { Clock, CommandIds, Logger } from "@travel-booking/runtime";
import { BANK_ACCOUNT } from "./bank-account.ts";
import { faultPoint } from "./fault-points.ts";
import type { Standing } from "./projecting/standing.ts";
import type { Storage } from "./storage.ts";

/** Real time: how long a hold that is new may take to be found. */
const FOUND_MS = 5_000;

export interface CommandServicesOptions {
  readonly handler: CommandHandler;
  readonly storage: Storage;
  readonly models: ReadModels;
  readonly projector: ProjectorClient;
  readonly standing: Standing;
  readonly clock: Clock;
  readonly ids: CommandIds;
  readonly logger: Logger;
}

/** What the command side works with, on the embedded engines. */
export function commandServices(options: CommandServicesOptions): OperatorServices {
  const { storage, models, projector, standing, clock, ids, logger } = options;
  return {
    handler: options.handler,
    gateway: new SandboxGateway(storage.state),
    clock,
    ids,
    logger,
    bankAccount: BANK_ACCOUNT,
    async findHold(holdId) {
      await projector.progress.waitUntil(OBLIGATIONS.projection, await storage.events.head(), FOUND_MS);
      const row = await models.body(OBLIGATIONS.due.model, obligationKey("expire_hold", holdId));
      return row && parseBody<{ readonly flightId: string }>(row).flightId;
    },
    reached: faultPoint(process.env),
    store: storage.events,
    state: storage.state,
    models,
    projected: (position) => standing.inForce(position),
  };
}
