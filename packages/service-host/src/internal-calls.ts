import { type Handler, hasBearerToken, type PlainRoute, UNKNOWN_PATH } from "@travel-booking/http";
import { deriveKeys, type SecretKey } from "@travel-booking/runtime";

const LOG_HEAD_PATH = "/internal/log-head";
const assignedSeatsPath = (bookingId: string) => `/internal/bookings/${bookingId}/assigned-seats`;
/** Real time. */
const LOG_HEAD_TIMEOUT_MS = 2_000;
const ASSIGN_SEATS_TIMEOUT_MS = 10_000;

/** Gives the position of the log's last event to services that don't read the log. */
export function logHeadRoute(secretKey: SecretKey, head: () => Promise<bigint>): PlainRoute {
  return { method: "GET", path: LOG_HEAD_PATH, handler: internalHandler(secretKey, "head", head) };
}

/** Assigns seats to a booking that has none. */
export function assignedSeatsRoute(secretKey: SecretKey, assign: (bookingId: string) => Promise<bigint>): PlainRoute {
  const handler = internalHandler(secretKey, "position", ({ params }) => assign(params.id ?? ""));
  return { method: "POST", path: assignedSeatsPath(":id"), handler };
}

/** A command-service was asked, and gave no usable answer. */
export class CommandServiceUnavailable extends Error {
  override readonly name = "CommandServiceUnavailable";

  get unavailable() {
    return ["out_of_reach", "the command-service is out of reach"] as const;
  }
}

/**
 * Asks a command-service for the position of the last event.
 * @throws CommandServiceUnavailable
 */
export function logHeadClient(commandServiceUrl: string, secretKey: SecretKey): () => Promise<bigint> {
  const call = internalClient("head", commandServiceUrl, secretKey);
  return () => call("GET", LOG_HEAD_PATH, LOG_HEAD_TIMEOUT_MS);
}

/**
 * Asks a command-service to assign seats to a booking. Returns the log position of the result. Safe to repeat.
 * @throws CommandServiceUnavailable
 */
export function seatAssignmentClient(
  commandServiceUrl: string,
  secretKey: SecretKey,
): (bookingId: string) => Promise<bigint> {
  const call = internalClient("position", commandServiceUrl, secretKey);
  return (bookingId) => call("POST", assignedSeatsPath(encodeURIComponent(bookingId)), ASSIGN_SEATS_TIMEOUT_MS);
}

/** The services of one installation share `SECRET_KEY`. To each other they show the first of these tokens. */
function internalTokens(secretKey: SecretKey): readonly string[] {
  return deriveKeys(secretKey, "internal-calls").map((key) => Buffer.from(key ?? []).toString("base64url"));
}

type Field = "head" | "position";

/** Answers calls with the internal token with a log position in this field. For other calls the path does not exist. */
function internalHandler(
  secretKey: SecretKey,
  field: Field,
  positionFor: (request: Parameters<Handler>[0]) => Promise<bigint>,
): Handler {
  const tokens = internalTokens(secretKey);
  return async (request) => {
    const given = request.header("authorization");
    if (!tokens.some((token) => hasBearerToken(given, token))) return UNKNOWN_PATH;
    return { status: 200, json: JSON.stringify({ [field]: String(await positionFor(request)) }) };
  };
}

/** Makes calls to the `internalHandler` of another service. A call throws `CommandServiceUnavailable`. */
function internalClient(field: Field, commandServiceUrl: string, secretKey: SecretKey) {
  const headers = { authorization: `Bearer ${internalTokens(secretKey)[0]}` };
  return async (method: "GET" | "POST", path: string, timeoutMs: number): Promise<bigint> => {
    try {
      const url = new URL(path, commandServiceUrl);
      const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(timeoutMs) });
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      return BigInt(((await response.json()) as Readonly<Record<Field, string>>)[field]);
    } catch (cause) {
      throw new CommandServiceUnavailable(`the command-service gave no answer to ${method} ${path}`, { cause });
    }
  };
}
