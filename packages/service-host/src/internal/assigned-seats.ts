import type { PlainRoute } from "@travel-booking/http";
import { internalHandler, internalToken } from "./internal-handler.ts";

const path = (bookingId: string) => `/internal/bookings/${bookingId}/assigned-seats`;
/** Real time. */
const TIMEOUT_MS = 10_000;

/** Where a service that decides is asked to make sure that a booking has seats. */
export function assignedSeatsRoute(secretKey: string, assign: (bookingId: string) => Promise<bigint>): PlainRoute {
  const handler = internalHandler(secretKey, async ({ params }) => ({
    status: 200,
    json: JSON.stringify({ position: String(await assign(params.id ?? "")) }),
  }));
  return { method: "POST", path: path(":id"), handler };
}

/** The command-service did not answer, or not with what it was asked for. */
export class CommandServiceUnavailable extends Error {
  override readonly name = "CommandServiceUnavailable";
}

/**
 * Asks a command-service to make sure that a booking has seats; answers the log position that shows what came of it.
 * Harmless to repeat.
 * @throws CommandServiceUnavailable
 */
export function seatAssignmentClient(
  commandServiceUrl: string,
  secretKey: string,
): (bookingId: string) => Promise<bigint> {
  const headers = { authorization: `Bearer ${internalToken(secretKey)}` };
  return async (bookingId) => {
    try {
      const url = new URL(path(encodeURIComponent(bookingId)), commandServiceUrl);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(url, { method: "POST", headers, signal });
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      return BigInt(((await response.json()) as { readonly position: string }).position);
    } catch (cause) {
      throw new CommandServiceUnavailable("the command-service was asked for seats and gave no answer", { cause });
    }
  };
}
