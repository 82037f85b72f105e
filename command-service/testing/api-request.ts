import { SCOPES } from "@travel-booking/domain";
import type { ApiRequest, CommandIdentity } from "@travel-booking/http";

export interface TestRequest {
  readonly accountId: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly command: CommandIdentity;
}

/** A request as a handler gets it: past authentication and validation, of a credential that may do everything. */
export function apiRequest({ accountId, params = {}, body = {}, command }: TestRequest): ApiRequest<never, never> {
  return {
    requestId: `req_${command.commandId}`,
    params,
    query: {} as never,
    body: body as never,
    caller: { accountId, credentialId: `crd_of_${accountId}`, scopes: new Set(SCOPES), apiVersion: "2026-11-01" },
    command,
    header: () => undefined,
    waitUncounted: (wait) => wait,
    raw: undefined as never,
  };
}
