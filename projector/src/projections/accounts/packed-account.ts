import type { Credential, Instant, OpenedAccount } from "@travel-booking/domain";

/** When and where a credential was issued. */
export interface Issuance {
  readonly at: Instant;
  /** Log position, as text. */
  readonly position: string;
}

/** An account as its read model keeps it: JSON, free keys in lists. Oldest credential first. */
export interface PackedAccount {
  readonly account: Omit<OpenedAccount, "credentials">;
  readonly credentials: readonly (readonly [Credential, Issuance])[];
}
