import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { type ApiResponse, unavailable } from "@travel-booking/http";

/** By name: where they are thrown, this package can't be imported from. */
const UNAVAILABLE_REASONS: Readonly<Record<string, string>> = {
  LogHeadUnknown: "what was written last can not be looked up",
  CommandServiceUnavailable: "the command-service is out of reach",
  PrinterBusy: "too many boarding passes are being printed; try again",
  StreamBusy: "too much is changing at once; try again",
};

/**
 * 503 for what a handler may fail with that is nobody's mistake and may be different in a moment
 * (docs/rules.md#overload); undefined for anything else, and where something may have been done all the same.
 */
export function unavailableResponse(error: unknown): ApiResponse | undefined {
  const why = unavailableReason(error);
  return why === undefined ? undefined : unavailable(why);
}

/** What of that it is, in words. */
export function unavailableReason(error: unknown): string | undefined {
  if (error instanceof EngineUnavailable) return error.outcomeUnknown ? undefined : `${error.engine} is out of reach`;
  return error instanceof Error ? UNAVAILABLE_REASONS[error.name] : undefined;
}
