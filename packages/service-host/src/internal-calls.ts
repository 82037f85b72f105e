import { createHash, timingSafeEqual } from "node:crypto";
import { type AuxiliaryHandler, errorResponse } from "@travel-booking/http";
import { deriveKey } from "@travel-booking/runtime";

/** Calls among the services of one installation. They authenticate with a token derived from the shared `SECRET_KEY`. */
type InternalRoutes = Readonly<Record<string, AuxiliaryHandler>>;

const LOG_HEAD_PATH = "/internal/log-head";
const assignedSeatsPath = (bookingId: string) => `/internal/bookings/${bookingId}/assigned-seats`;
/** Real time. */
const LOG_HEAD_TIMEOUT_MS = 2_000;
const ASSIGN_SEATS_TIMEOUT_MS = 10_000;

/** Answers services that don't read the log with the position of its last event. */
export function logHeadRoute(secretKey: string, head: () => Promise<bigint>): InternalRoutes {
  return {
    [LOG_HEAD_PATH]: internalHandler(secretKey, async () => ({ head: String(await head()) })),
  };
}

/** The command-service could not be asked for the position of the last event. */
export class LogHeadUnavailable extends Error {
  override readonly name = "LogHeadUnknown";
}

/**
 * Asks a command-service for the position of the last event.
 * @throws LogHeadUnavailable
 */
export function logHeadClient(commandServiceUrl: string, secretKey: string): () => Promise<bigint> {
  const url = new URL(LOG_HEAD_PATH, commandServiceUrl);
  const token = internalToken(secretKey);
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
export function assignedSeatsRoute(secretKey: string, assign: (bookingId: string) => Promise<bigint>): InternalRoutes {
  return {
    [assignedSeatsPath(":id")]: internalHandler(secretKey, async ({ params }) => ({
      position: String(await assign(params.id ?? "")),
    })),
  };
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
  secretKey: string,
): (bookingId: string) => Promise<bigint> {
  const token = internalToken(secretKey);
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

function internalToken(secretKey: string): string {
  return Buffer.from(deriveKey(secretKey, "internal-calls")).toString("base64url");
}

/** Handles calls with the internal token; without it the path does not seem to exist. */
function internalHandler(
  secretKey: string,
  answer: (exchange: Parameters<AuxiliaryHandler>[0]) => Promise<object>,
): AuxiliaryHandler {
  const expected = digest(`Bearer ${internalToken(secretKey)}`);
  return async (exchange) => {
    const given = digest(exchange.header("authorization") ?? "");
    if (!timingSafeEqual(given, expected)) return errorResponse(404, "There is nothing at this path.");
    return { status: 200, json: JSON.stringify(await answer(exchange)) };
  };
}

/** Digests have one length, and the time to compare them tells nothing about the token. */
const digest = (text: string) => createHash("sha256").update(text).digest();

async function callInternal(method: "GET" | "POST", url: URL, token: string, timeoutMs: number): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return response.json();
}
