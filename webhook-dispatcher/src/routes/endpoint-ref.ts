import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";

export const ENDPOINT_NOT_FOUND: ApiResponse = errorResponse(404, "no webhook endpoint with this id");

/** Whose endpoint is meant, and which. */
export function endpointRefOf({ caller, params }: ApiRequest): {
  readonly accountId: string;
  readonly endpointId: string;
} {
  if (caller === null) throw new Error("an operation without a scope has no account");
  return { accountId: caller.accountId, endpointId: params.id ?? "" };
}

/** The id the request's command runs under; the same again where it is repeated. */
export function commandIdOf({ command }: ApiRequest): string {
  if (command === null) throw new Error("an operation that writes runs under a command id");
  return command.commandId;
}
