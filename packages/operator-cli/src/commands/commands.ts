import type { Command } from "../command.ts";
import { accountCommands } from "./account.ts";
import { backupCommands } from "./backup.ts";
import { catalogueCommands } from "./catalogue.ts";
import { clockCommands } from "./clock.ts";
import { credentialCommands } from "./credential.ts";
import { documentCommands } from "./document.ts";
import { loyaltyCommands } from "./loyalty.ts";
import { projectionCommands } from "./projection.ts";
import { refundCommands } from "./refund.ts";
import { streamCommands } from "./stream.ts";
import { transferCommands } from "./transfer.ts";
import { webhookCommands } from "./webhook.ts";

/** Every command there is, in the order the usage shows them. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...credentialCommands,
  ...catalogueCommands,
  ...transferCommands,
  ...refundCommands,
  ...documentCommands,
  ...loyaltyCommands,
  ...clockCommands,
  ...backupCommands,
  ...projectionCommands,
  ...webhookCommands,
  ...streamCommands,
];
