import type { RecordedEvent } from "@travel-booking/engines/event-store";

interface Person {
  readonly accountId: string;
  readonly email: string;
}

/** Passengers by id, as the log leaves them. */
export type PassengersById = ReadonlyMap<string, Person>;

/**
 * Goes through the log by itself, without the domain's folds.
 * @throws Error at some moment two passengers of an account had one address, or one had an address that was not claimed
 * for it, or in the end something is claimed for a passenger that has it not.
 */
export function checkInvariants(log: readonly RecordedEvent[]): PassengersById {
  const people = new Map<string, Person>();
  /** Who an address of an account is claimed for, by claim. */
  const claims = new Map<string, { readonly claimId: string; readonly passengerId: string }[]>();
  const heldBy = new Map<string, string>();
  for (const { stream, type, data } of log) {
    const { accountId, passengerId, claimId, claim, email, changes } = data as {
      readonly accountId: string;
      readonly passengerId: string;
      readonly claimId: string;
      readonly claim: { readonly claimId: string; readonly emailKey: string } | null;
      readonly email: string;
      readonly changes: { readonly email?: string };
    };
    const took = (taken: string | undefined) => {
      if (taken !== undefined) people.set(passengerId, { accountId, email: taken.toLowerCase() });
      if (claim !== null) heldBy.set(passengerId, `passengerEmail-${accountId}-${claim.emailKey} ${claim.claimId}`);
      const [address = "", held] = (heldBy.get(passengerId) ?? "").split(" ");
      if (!claims.get(address)?.some((known) => known.claimId === held && known.passengerId === passengerId)) {
        throw new Error(`${passengerId} has an address that is not claimed for it`);
      }
    };
    if (type === "EmailClaimed") claims.set(stream, [...(claims.get(stream) ?? []), { claimId, passengerId }]);
    if (type === "EmailReleased") {
      if (heldBy.get(passengerId) === `${stream} ${claimId}`) throw new Error(`${passengerId} has lost its address`);
      claims.set(
        stream,
        (claims.get(stream) ?? []).filter((known) => known.claimId !== claimId),
      );
    }
    if (type === "PassengerCreated") took(email);
    if (type === "PassengerChanged") took(changes.email);
    if (type === "PassengerDeleted") {
      people.delete(passengerId);
      heldBy.delete(passengerId);
    }
    const addresses = [...people.values()].map((person) => `${person.accountId} ${person.email}`);
    if (new Set(addresses).size < addresses.length) throw new Error("two passengers of an account have one address");
  }
  const held = [...claims.values()].reduce((sum, { length }) => sum + length, 0);
  if (held !== people.size) throw new Error(`${held} claims for ${people.size} passengers`);
  return people;
}
