import { eraseProfile } from "../personal-data/words.ts";
import { type Changing, sizeWith } from "../shared/changes.ts";
import { assertNever, type Instant } from "../shared/decision.ts";
import type { EmailClaim, PassengerDetails, PassengerEvent } from "./events.ts";

/** A saved passenger. Plain JSON, because read models store it. */
export interface PassengerProfileState extends PassengerDetails {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deleted: boolean;
}

export interface NoPassenger {
  readonly status: "none";
}

/** Closed before anything was created, so nothing can be created here any more. */
export interface AbandonedPassenger {
  readonly status: "abandoned";
}

export interface CreatedPassenger extends Changing {
  readonly status: "created";
  readonly profile: PassengerProfileState;
  /** The claim that holds its address. */
  readonly claim: EmailClaim;
  /** Claims that it can never take over. */
  readonly closedClaims: readonly string[];
  /** Absent: its personal words are still there. */
  readonly erased?: true;
}

export type PassengerState = NoPassenger | AbandonedPassenger | CreatedPassenger;

/** The profile of an account, unless it is deleted. */
export function profileOf(state: PassengerState, accountId: string): PassengerProfileState | undefined {
  if (state.status !== "created" || state.profile.deleted) return undefined;
  return state.profile.accountId === accountId ? state.profile : undefined;
}

/** A saved passenger of an account as a booking names who travels; undefined for one that is deleted or erased. */
export function travellerOf(
  state: PassengerState,
  accountId: string,
): { readonly name: string; readonly email: string } | undefined {
  const profile = profileOf(state, accountId);
  if (profile === undefined || (state.status === "created" && state.erased === true)) return undefined;
  return { name: `${profile.firstName} ${profile.lastName}`, email: profile.email };
}

/** Whether this claim holds the profile's address. */
export function holdsEmailClaim(state: PassengerState, claimId: string): boolean {
  return state.status === "created" && !state.profile.deleted && state.claim.claimId === claimId;
}

/** Folds one event in. Does not change the state in place. */
export function evolvePassenger(state: PassengerState, event: PassengerEvent): PassengerState {
  switch (event.type) {
    case "PassengerCreated": {
      const { passengerId: id, claim, ...details } = event.data;
      const profile = { ...details, id, createdAt: event.at, updatedAt: event.at, deleted: false };
      return { status: "created", profile, claim, closedClaims: [] };
    }
    case "PassengerAbandoned":
      return { status: "abandoned" };
  }
  if (state.status !== "created") throw new Error(`${event.type} of a passenger that was never created`);
  switch (event.type) {
    case "PassengerChanged": {
      const { changes, claim } = event.data;
      const profile = { ...state.profile, ...changes, updatedAt: event.at };
      return { ...state, profile, claim: claim ?? state.claim, changesSize: sizeWith(state, event) };
    }
    case "PassengerDeleted":
      return { ...state, profile: { ...state.profile, deleted: true } };
    case "PassengerErased":
      return { ...state, profile: eraseProfile(state.profile), changesSize: 0, erased: true };
    case "EmailClaimClosed":
      return { ...state, closedClaims: [...state.closedClaims, event.data.claimId] };
    default:
      return assertNever(event);
  }
}
