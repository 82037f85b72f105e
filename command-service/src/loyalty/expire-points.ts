import { systemContext } from "../processes/system-context.ts";
import type { CommandServices } from "../services.ts";
import { executeLoyaltyCommand } from "./execute-loyalty-command.ts";

/** Records what has expired. */
export async function expirePoints(services: CommandServices, accountId: string): Promise<bigint> {
  const expired = await executeLoyaltyCommand(
    services,
    systemContext(services),
    { type: "ExpirePoints", accountId },
    () => undefined,
  );
  return expired.position;
}
