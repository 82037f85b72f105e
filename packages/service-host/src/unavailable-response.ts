import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { type ApiResponse, unavailable } from "@travel-booking/http";

/** By name: this package can't import the services that throw some of them. */
const UNAVAILABLE_REASONS: Readonly<Record<string, string>> = {
  LogHeadUnknown: "what was written last can not be looked up",
  CommandServiceUnavailable: "the command-service is out of reach",
  PrinterBusy: "too many boarding passes are being printed; try again",
  StreamBusy: "too much is changing at once; try again",
};

/**
 * 503 for errors that are not the client's and may be gone in a moment (docs/rules.md#overload); undefined for all
 * others, and where the request may have taken effect.
 */
export function unavailableResponse(error: unknown): ApiResponse | undefined {
  const reason = unavailableReason(error);
  return reason === undefined ? undefined : unavailable(reason);
}

/** The reason for such a 503. */
export function unavailableReason(error: unknown): string | undefined {
  if (error instanceof EngineUnavailable) return error.outcomeUnknown ? undefined : `${error.engine} is out of reach`;
  return error instanceof Error ? UNAVAILABLE_REASONS[error.name] : undefined;
}
