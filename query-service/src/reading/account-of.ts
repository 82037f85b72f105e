import type { ApiRequest } from "@travel-booking/http";

/**
 * The account that asks.
 * @throws Error the operation needs no credential, so it can't show what belongs to an account.
 */
export function accountOf({ caller }: Pick<ApiRequest, "caller">): string {
  if (caller === null) throw new Error("an operation without a scope has no account");
  return caller.accountId;
}
