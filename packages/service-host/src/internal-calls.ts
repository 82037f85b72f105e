import { type Handler, hasBearerToken, type PlainRoute, UNKNOWN_PATH } from "@travel-booking/http";
import { deriveKeys, type SecretKey } from "@travel-booking/runtime";

const LOG_HEAD_PATH = "/internal/log-head";
const assignedSeatsPath = (bookingId: string) => `/internal/bookings/${bookingId}/assigned-seats`;
/** Real time. */
const LOG_HEAD_TIMEOUT_MS = 2_000;
const ASSIGN_SEATS_TIMEOUT_MS = 10_000;

/** Answers services that don't read the log with the position of its last event. */
export function logHeadRoute(secretKey: SecretKey, head: () => Promise<bigint>): PlainRoute {
  const handler = internalHandler(secretKey, async () => ({ head: String(await head()) }));
  return { method: "GET", path: LOG_HEAD_PATH, handler };
}

/** The command-service could not be asked for the position of the last event. */
export class LogHeadUnavailable extends Error {
  override readonly name = "LogHeadUnavailable";
}

/**
 * Asks a command-service for the position of the last event.
 * @throws LogHeadUnavailable
 */
export function logHeadClient(commandServiceUrl: string, secretKey: SecretKey): () => Promise<bigint> {
  const url = new URL(LOG_HEAD_PATH, commandServiceUrl);
  const token = internalTokens(secretKey).at(-1) ?? "";
  return async () => {
    try {
      const { head } = (await callInternal("GET", url, token, LOG_HEAD_TIMEOUT_MS)) as { readonly head: string };
      return BigInt(head);
    } catch (cause) {
      throw new LogHeadUnavailable("the command-service did not tell how far the log goes", { cause });
    }
  };
}

/** Assigns seats to a booking that has none. */
export function assignedSeatsRoute(secretKey: SecretKey, assign: (bookingId: string) => Promise<bigint>): PlainRoute {
  const handler = internalHandler(secretKey, async ({ params }) => ({
    position: String(await assign(params.id ?? "")),
  }));
  return { method: "POST", path: assignedSeatsPath(":id"), handler };
}

/** The command-service gave no usable answer. */
export class CommandServiceUnavailable extends Error {
  override readonly name = "CommandServiceUnavailable";
}

/**
 * Asks a command-service to assign seats to a booking; answers the log position of the result. Safe to repeat.
 * @throws CommandServiceUnavailable
 */
export function seatAssignmentClient(
  commandServiceUrl: string,
  secretKey: SecretKey,
): (bookingId: string) => Promise<bigint> {
  const token = internalTokens(secretKey).at(-1) ?? "";
  return async (bookingId) => {
    try {
      const url = new URL(assignedSeatsPath(encodeURIComponent(bookingId)), commandServiceUrl);
      const answer = await callInternal("POST", url, token, ASSIGN_SEATS_TIMEOUT_MS);
      return BigInt((answer as { readonly position: string }).position);
    } catch (cause) {
      throw new CommandServiceUnavailable("the command-service was asked for seats and gave no answer", { cause });
    }
  };
}

/**
 * The services of one installation authenticate to each other with this token: they share `SECRET_KEY`. While it is being
 * changed they send the one that also those know that were not started again yet.
 */
function internalTokens(secretKey: SecretKey): readonly string[] {
  return deriveKeys(secretKey, "internal-calls").map((key) => Buffer.from(key ?? []).toString("base64url"));
}

/** Handles calls with the internal token; without it the path does not exist. */
function internalHandler(secretKey: SecretKey, answer: (request: Parameters<Handler>[0]) => Promise<object>): Handler {
  const tokens = internalTokens(secretKey);
  return async (request) => {
    const given = request.header("authorization");
    if (!tokens.some((token) => hasBearerToken(given, token))) return UNKNOWN_PATH;
    return { status: 200, json: JSON.stringify(await answer(request)) };
  };
}

async function callInternal(method: "GET" | "POST", url: URL, token: string, timeoutMs: number): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return response.json();
}
