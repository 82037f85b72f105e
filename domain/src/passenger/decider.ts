import { noRoomForChange } from "../shared/changes.ts";
import {
  accept,
  type Command,
  type Decider,
  type Decision,
  type Handlers,
  handle,
  type Instant,
  reject,
} from "../shared/decision.ts";
import { MAX_METADATA_KEYS, mergeMetadata } from "../shared/metadata.ts";
import { utcDay } from "../shared/time.ts";
import {
  canonicalEmail,
  type EmailClaimClosed,
  type PassengerChanged,
  type PassengerCreated,
  type PassengerDeleted,
  type PassengerDetails,
  type PassengerEvent,
  type TravelPreferences,
} from "./events.ts";
import { evolvePassenger, holdsEmailClaim, type PassengerState, profileOf } from "./state.ts";

/** `claim`: the claim on the e-mail address, recorded before. An empty metadata value is left out. */
export type CreatePassenger = Command<
  "CreatePassenger",
  Pick<PassengerCreated["data"], "passengerId" | "accountId" | "claim"> & { readonly details: PassengerDetails }
>;

/** Absent fields stay. `metadata` is merged into the present one. An empty value removes its key. */
export type PassengerChanges = PartialFields<Omit<PassengerDetails, "preferences">> & {
  readonly preferences?: PartialFields<TravelPreferences> | undefined;
};

type PartialFields<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

/** `claim`: the claim on a new e-mail address, recorded before; null if none is claimed. */
export type ChangePassenger = Command<
  "ChangePassenger",
  Pick<PassengerChanged["data"], "accountId" | "claim"> & { readonly changes: PassengerChanges }
>;

type DeletePassenger = Command<"DeletePassenger", Pick<PassengerDeleted["data"], "accountId">>;

/** Closes a claim that the profile does not hold, so that it can be released. */
type CloseEmailClaim = Command<"CloseEmailClaim", EmailClaimClosed["data"]>;

/** Sent by an operator. Deleted profiles can be erased, too. */
type ErasePassenger = Command<"ErasePassenger">;

type PassengerCommand = CreatePassenger | ChangePassenger | DeletePassenger | CloseEmailClaim | ErasePassenger;

export type PassengerRejectionCode =
  | "profile_not_found"
  | "passenger_abandoned"
  | "born_in_future"
  | "too_much_metadata"
  | "too_many_changes"
  /** A new address needs a claim on it first. */
  | "email_not_claimed"
  | "email_claim_closed";

type PassengerDecision = Decision<PassengerEvent, PassengerRejectionCode>;

/** Whether a day (`YYYY-MM-DD`) is still to come, in UTC. */
function isFutureDay(day: string, at: Instant): boolean {
  return day > utcDay(at);
}

/** The problem with the details; undefined if there is none. */
function detailsProblem(
  { dateOfBirth, metadata }: Pick<PassengerDetails, "dateOfBirth" | "metadata">,
  at: Instant,
): "born_in_future" | "too_much_metadata" | undefined {
  if (isFutureDay(dateOfBirth, at)) return "born_in_future";
  return metadata.length > MAX_METADATA_KEYS ? "too_much_metadata" : undefined;
}

const HANDLERS: Handlers<PassengerCommand, [state: PassengerState, at: Instant], PassengerDecision> = {
  CreatePassenger({ passengerId, accountId, claim, details: given }, state, at) {
    if (state.status === "abandoned") return reject("passenger_abandoned");
    if (state.status === "created") return accept();
    const details = { ...given, metadata: mergeMetadata([], given.metadata) };
    const problem = detailsProblem(details, at);
    if (problem !== undefined) return reject(problem);
    return accept({ type: "PassengerCreated", at, data: { passengerId, accountId, ...details, claim } });
  },

  /**
   * Records only the fields that differ. A new address needs a claim and frees the previous one. An address that
   * differs only in case is not new.
   */
  ChangePassenger({ accountId, claim, changes: wanted }, state, at) {
    const profile = profileOf(state, accountId);
    if (profile === undefined || state.status !== "created" || state.erased) return reject("profile_not_found");
    const changes = differences(profile, wanted);
    const problem = detailsProblem({ ...profile, ...changes }, at);
    if (problem !== undefined) return reject(problem);
    if (Object.keys(changes).length === 0) return accept();
    const noRoom = noRoomForChange(state);
    if (noRoom !== undefined) return noRoom;
    const event = { type: "PassengerChanged", at } as const;
    const data = { passengerId: profile.id, accountId, changes };
    if (changes.email === undefined || canonicalEmail(changes.email) === canonicalEmail(profile.email)) {
      return accept({ ...event, data: { ...data, claim: null, freed: null } });
    }
    if (claim === null) return reject("email_not_claimed");
    if (state.closedClaims.includes(claim.claimId)) return reject("email_claim_closed");
    return accept({ ...event, data: { ...data, claim, freed: state.claim } });
  },

  DeletePassenger({ accountId }, state, at) {
    const profile = profileOf(state, accountId);
    if (profile === undefined || state.status !== "created") return reject("profile_not_found");
    return accept({ type: "PassengerDeleted", at, data: { passengerId: profile.id, accountId, freed: state.claim } });
  },

  /** docs/privacy.md#erasing. A second time is a no-op. */
  ErasePassenger(_, state, at) {
    if (state.status !== "created") return reject("profile_not_found");
    if (state.erased === true) return accept();
    const { id: passengerId, accountId, deleted } = state.profile;
    const freed = deleted ? null : state.claim;
    return accept({ type: "PassengerErased", at, data: { passengerId, accountId, freed } });
  },

  /** A profile that was never created is closed against creation, because nothing else could take the claim over. */
  CloseEmailClaim({ passengerId, claimId }, state, at) {
    if (state.status === "none") return accept({ type: "PassengerAbandoned", at, data: { passengerId } });
    if (state.status === "abandoned" || state.profile.deleted) return accept();
    if (holdsEmailClaim(state, claimId) || state.closedClaims.includes(claimId)) return accept();
    return accept({ type: "EmailClaimClosed", at, data: { passengerId, claimId } });
  },
};

/** A saved passenger. The e-mail address is claimed before, in a stream of its own, which keeps it unique. */
export const passengerDecider: Decider<PassengerCommand, PassengerState, PassengerEvent, PassengerRejectionCode> = {
  initialState: () => ({ status: "none" }),
  decide: (command, state, at) => handle(HANDLERS, command, state, at),
  evolve: evolvePassenger,
};

/** The fields whose value would change, each with its whole new value. */
function differences(present: PassengerDetails, changes: PassengerChanges): Partial<PassengerDetails> {
  const { metadata, preferences, ...plain } = changes;
  const wanted = {
    ...plain,
    ...(metadata && { metadata: mergeMetadata(present.metadata, metadata) }),
    ...(preferences && { preferences: { ...present.preferences, ...definedFields(preferences) } }),
  };
  const differing = Object.entries(definedFields(wanted)).filter(
    ([field, value]) => !jsonEqual(value, present[field as keyof PassengerDetails]),
  );
  return Object.fromEntries(differing);
}

/** Leaves out fields whose value is undefined. */
function definedFields(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Whether two JSON values are equal, field order ignored. */
function jsonEqual(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  const fields = Object.keys(one);
  return fields.length === Object.keys(other).length && fields.every((field) => jsonEqual(one[field], other[field]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
