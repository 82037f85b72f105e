import { type ApiResponse, unavailable } from "@travel-booking/http";

/** By name: this package knows no engine. */
const UNAVAILABLE_REASONS: Readonly<Record<string, string>> = {
  EventStoreUnavailable: "the event store is out of reach",
  ReadStoreUnavailable: "the read models are out of reach",
  StateStoreUnavailable: "the state store is out of reach",
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
  if (!(error instanceof Error) || ("outcomeUnknown" in error && error.outcomeUnknown === true)) return undefined;
  return UNAVAILABLE_REASONS[error.name];
}
