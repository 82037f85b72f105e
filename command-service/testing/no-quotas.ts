import { AccountQuota } from "../src/quotas/account-quota.ts";
import type { Quotas } from "../src/quotas/quotas.ts";

const unbounded = new AccountQuota({
  name: "nothing",
  most: 0,
  count: async () => 0,
  caughtUp: async () => undefined,
  soleWriter: true,
});

/** Nothing is bounded. */
export const NO_QUOTAS: Quotas = {
  unpaidSeatsPercent: 100,
  openHolds: unbounded,
  passengers: unbounded,
  documents: unbounded,
  documentBytes: unbounded,
};
