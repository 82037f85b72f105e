import type { RunningServer } from "@travel-booking/http";
import { urlOf } from "./listen.ts";

/** What standard output says once a service of its own is ready. */
export function readyLines(name: string, api: RunningServer, operator?: RunningServer): string {
  const lines = [`Travel Booking Service: the ${name} is ready.`, `  base address      ${urlOf(api)}`];
  if (operator !== undefined) lines.push(`  operator address  ${urlOf(operator)}`);
  return `${lines.join("\n")}\n`;
}
