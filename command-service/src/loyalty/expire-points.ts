import { systemContext } from "../policies/system-context.ts";
import type { CommandServices } from "../services.ts";
import { executeLoyalty } from "./execute-loyalty.ts";

/** Records what has expired. */
export async function expirePoints(services: CommandServices, accountId: string): Promise<bigint> {
  const expired = await executeLoyalty(
    services,
    systemContext(services),
    { type: "ExpirePoints", accountId },
    () => undefined,
  );
  return expired.position;
}
