import { accept, type Instant, reject } from "../shared/decision.ts";
import type { ChangePassenger, PassengerChanges } from "./commands.ts";
import { canonicalEmail, type PassengerDetails } from "./details.ts";
import type { PassengerDecision } from "./rejections.ts";
import { detailsProblem, mergeMetadata } from "./rules.ts";
import { type PassengerState, profileOf } from "./state.ts";

/**
 * Records what differs, if anything does. A new address is taken over with its claim and frees the one before; an
 * address that differs in case alone is still the same one.
 */
export function changePassenger(command: ChangePassenger, state: PassengerState, at: Instant): PassengerDecision {
  const { accountId, claim } = command;
  const profile = profileOf(state, accountId);
  if (profile === undefined || state.status !== "created") return reject("profile_not_found");
  const changes = differences(profile, command.changes);
  const problem = detailsProblem({ ...profile, ...changes }, at);
  if (problem !== undefined) return reject(problem);
  if (Object.keys(changes).length === 0) return accept();
  const event = { type: "PassengerChanged", at } as const;
  const data = { passengerId: profile.id, accountId, changes };
  if (changes.email === undefined || canonicalEmail(changes.email) === canonicalEmail(profile.email)) {
    return accept({ ...event, data: { ...data, claim: null, freed: null } });
  }
  if (claim === null) return reject("email_not_claimed");
  if (state.closedClaims.includes(claim.claimId)) return reject("email_claim_closed");
  return accept({ ...event, data: { ...data, claim, freed: state.claim } });
}

/** The fields whose value would be another one, each with its whole new value. */
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

/** Without the fields that are named and have no value. */
function definedFields(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Whether two JSON values are equal, in whatever order their fields stand. */
function jsonEqual(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  const fields = Object.keys(one);
  return fields.length === Object.keys(other).length && fields.every((field) => jsonEqual(one[field], other[field]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
