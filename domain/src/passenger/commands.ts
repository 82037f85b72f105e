import type { PassengerDetails } from "./details.ts";
import type { EmailClaim } from "./events.ts";
import type { TravelPreferences } from "./preferences.ts";

/** `claim`: of the e-mail address, recorded before. */
export interface CreatePassenger {
  readonly type: "CreatePassenger";
  readonly passengerId: string;
  readonly accountId: string;
  /** A metadata value that is empty is left out. */
  readonly details: PassengerDetails;
  readonly claim: EmailClaim;
}

/** What is absent stays. `metadata` is merged into what is there, and an empty value removes its key. */
export type PassengerChanges = PartialFields<Omit<PassengerDetails, "preferences">> & {
  readonly preferences?: PartialFields<TravelPreferences> | undefined;
};

type PartialFields<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

export interface ChangePassenger {
  readonly type: "ChangePassenger";
  readonly accountId: string;
  readonly changes: PassengerChanges;
  /** Of a new e-mail address, recorded before; null where none is claimed. */
  readonly claim: EmailClaim | null;
}

export interface DeletePassenger {
  readonly type: "DeletePassenger";
  readonly accountId: string;
}

/** Settles for good whether the profile has this claim, so that one it has not can be released. */
export interface CloseEmailClaim {
  readonly type: "CloseEmailClaim";
  readonly passengerId: string;
  readonly claimId: string;
}

export type PassengerCommand = CreatePassenger | ChangePassenger | DeletePassenger | CloseEmailClaim;
