import { describe, expect, test } from "@jest/globals";
import {
  type ChangePassenger,
  type EmailClaim,
  MAX_CHANGES_SIZE,
  MAX_METADATA_KEYS,
  type Metadata,
  type PassengerChanges,
  type PassengerEvent,
  passengerDecider,
  profileOf,
  sizeOfChange,
  travellerOf,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import {
  accountId,
  changed,
  created,
  creation,
  deleted,
  details,
  FIRST,
  passengerId,
  SECOND,
  T0,
} from "./sample-passenger.ts";

const given = specification(passengerDecider);

const abandoned: PassengerEvent = { type: "PassengerAbandoned", at: T0, data: { passengerId } };
const closed = (claimId: string, at = T0 + 2): PassengerEvent => ({
  type: "EmailClaimClosed",
  at,
  data: { passengerId, claimId },
});

function change(changes: PassengerChanges, claim: EmailClaim | null = null, account = accountId): ChangePassenger {
  return { type: "ChangePassenger", accountId: account, changes, claim };
}

function keys(count: number, prefix = "k"): Metadata {
  return Array.from({ length: count }, (_, index) => [`${prefix}${index}`, "v"] as const);
}

test("changes have room together: beyond it a profile stays as it is, and can be deleted and erased still", () => {
  const metadata = Array.from({ length: 20 }, (_, index) => [`${index}`.padEnd(255, "k"), "v".repeat(500)] as const);
  const large = (index: number) => changed({ metadata: [...metadata.slice(1), [`${index}`, "v"]] });
  const count = Math.floor(MAX_CHANGES_SIZE / sizeOfChange(large(1_000)));
  const history = [created(), ...Array.from({ length: count }, (_, index) => large(1_000 + index))];
  given(history)
    .when(change({ nationality: "FR" }), T0 + 1)
    .then([changed({ nationality: "FR" })]);
  const full = [...history, large(1)];
  const email = "countess@example.com";
  for (const refused of [change({ nationality: "FR" }), change({ email }), change({ email }, SECOND)])
    given(full)
      .when(refused, T0 + 1)
      .thenRejected({ code: "too_many_changes", facts: { most: MAX_CHANGES_SIZE } });
  given(full)
    .when(change({ nationality: "GB" }), T0 + 1)
    .then([]);
  given(full)
    .when({ type: "DeletePassenger", accountId }, T0 + 9)
    .then([deleted()]);
  given(full)
    .when({ type: "ErasePassenger" }, T0 + 9)
    .then([{ type: "PassengerErased", at: T0 + 9, data: { passengerId, accountId, freed: FIRST } }]);
});

test("small changes fill it, too", () => {
  const small = changed({ nationality: "FR" });
  const count = Math.ceil(MAX_CHANGES_SIZE / sizeOfChange(small));
  expect(count).toBeLessThan(10_000);
  const history = Array.from({ length: count - 1 }, () => small);
  given([created(), ...history])
    .when(change({ nationality: "DE" }), T0 + 1)
    .then([changed({ nationality: "DE" })]);
  given([created(), ...history, small])
    .when(change({ nationality: "DE" }), T0 + 1)
    .thenRejected("too_many_changes");
});

describe("a passenger is created", () => {
  test("once", () => {
    given([]).when(creation(), T0).then([created()]);
    given([created()])
      .when(creation(), T0 + 5)
      .then([]);
  });

  test("without the keys that have no value", () => {
    given([])
      .when(
        creation({
          metadata: [
            ["a", ""],
            ["b", "2"],
          ],
        }),
        T0,
      )
      .then([created({ metadata: [["b", "2"]] })]);
  });

  test("never after it was given up", () => {
    given([abandoned])
      .when(creation(), T0 + 1)
      .thenRejected("passenger_abandoned");
  });

  test("on the day it is born, and not before", () => {
    const at = Date.parse("2027-01-04T23:59:59Z");
    expect(
      passengerDecider.decide(creation({ dateOfBirth: "2027-01-04" }), { status: "none" }, at).events,
    ).toHaveLength(1);
    given([])
      .when(creation({ dateOfBirth: "2027-01-05" }), at)
      .thenRejected("born_in_future");
  });

  test("with twenty keys of metadata at most", () => {
    given([])
      .when(creation({ metadata: keys(MAX_METADATA_KEYS) }), T0)
      .then([created({ metadata: keys(20) })]);
    given([])
      .when(creation({ metadata: keys(21) }), T0)
      .thenRejected("too_much_metadata");
  });
});

describe("a change", () => {
  test("records what differs, and nothing else", () => {
    given([created()])
      .when(change({ ...details, lastName: "King", nationality: "FR" }), T0 + 1)
      .then([changed({ lastName: "King", nationality: "FR" })]);
  });

  test.each<[string, PassengerChanges]>([
    ["no field", {}],
    ["fields without a value", { firstName: undefined, passport: undefined, preferences: { seat: undefined } }],
    ["all that is there", details],
    [
      "a passport in another order",
      { passport: { issuingCountry: "NZ", number: "L898902C3", expiresOn: "2034-04-15" } },
    ],
    ["a key that is not there, removed", { metadata: [["c", ""]] }],
    ["keys and preferences that are there", { metadata: [["b", "2"]], preferences: { seat: "window" } }],
  ])("of %s is none", (_, changes) => {
    given([created()])
      .when(change(changes), T0 + 1)
      .then([]);
  });

  test("merges metadata: an empty value removes its key", () => {
    given([created()])
      .when(
        change({
          metadata: [
            ["a", ""],
            ["c", "3"],
            ["b", "4"],
          ],
        }),
        T0 + 1,
      )
      .then([
        changed({
          metadata: [
            ["b", "4"],
            ["c", "3"],
          ],
        }),
      ]);
  });

  test("leaves twenty keys of metadata at most, whatever was sent", () => {
    const full = created({ metadata: keys(20) });
    given([full])
      .when(change({ metadata: [["one more", "v"]] }), T0 + 1)
      .thenRejected("too_much_metadata");
    const swapped: Metadata = [...keys(20).map(([key]) => [key, ""] as const), ...keys(20, "n")];
    given([full])
      .when(change({ metadata: swapped }), T0 + 1)
      .then([changed({ metadata: keys(20, "n") })]);
  });

  test("merges preferences, and removes what may be absent", () => {
    given([created()])
      .when(change({ preferences: { meal: "vegan" }, passport: null, loyaltyNumber: "TB-7" }), T0 + 1)
      .then([
        changed({
          passport: null,
          loyaltyNumber: "TB-7",
          preferences: { seat: "window", meal: "vegan", cryosleep: false },
        }),
      ]);
  });

  test("is refused of a day of birth that is still to come", () => {
    given([created()])
      .when(change({ dateOfBirth: "2027-01-05" }), T0 + 1)
      .thenRejected("born_in_future");
  });

  test.each<[string, readonly PassengerEvent[], ChangePassenger]>([
    ["that was never created", [], change({})],
    ["that was given up", [abandoned], change({})],
    ["of another account", [created()], change({}, null, "acc_2")],
    ["that is deleted", [created(), deleted()], change({ firstName: "Grace" })],
  ])("of a passenger %s finds none", (_, events, command) => {
    given(events)
      .when(command, T0 + 10)
      .thenRejected("profile_not_found");
  });
});

describe("an e-mail address", () => {
  test("changes its case without a claim", () => {
    given([created()])
      .when(change({ email: "ADA@example.com" }), T0 + 1)
      .then([changed({ email: "ADA@example.com" })]);
  });

  test("that is new needs a claim, takes it over and frees the one before", () => {
    const command = change({ email: "countess@example.com" });
    given([created()])
      .when(command, T0 + 1)
      .thenRejected("email_not_claimed");
    const moved = changed({ email: "countess@example.com" }, T0 + 1, { claim: SECOND, freed: FIRST });
    given([created()])
      .when({ ...command, claim: SECOND }, T0 + 1)
      .then([moved]);
    given([created(), moved])
      .when({ type: "DeletePassenger", accountId }, T0 + 9)
      .then([deleted(T0 + 9, SECOND)]);
  });

  test("is not taken over with a claim that is closed", () => {
    given([created(), closed("c2")])
      .when(change({ email: "countess@example.com" }, SECOND), T0 + 3)
      .thenRejected("email_claim_closed");
  });

  test("that is the same leaves a claim on it alone", () => {
    given([created()])
      .when(change({ email: "ADA@example.com" }, { claimId: "c2", emailKey: "ada" }), T0 + 1)
      .then([changed({ email: "ADA@example.com" })]);
  });
});

describe("a claim is closed", () => {
  const close = (claimId: string) => ({ type: "CloseEmailClaim", passengerId, claimId }) as const;

  test("together with a passenger that was never created", () => {
    given([]).when(close("c1"), T0).then([abandoned]);
    given([abandoned])
      .when(close("c1"), T0 + 1)
      .then([]);
  });

  test("unless the passenger has it", () => {
    given([created()])
      .when(close("c1"), T0 + 1)
      .then([]);
    given([created()])
      .when(close("c2"), T0 + 2)
      .then([closed("c2")]);
    given([created(), closed("c2")])
      .when(close("c2"), T0 + 3)
      .then([]);
    given([created(), deleted()])
      .when(close("c2"), T0 + 10)
      .then([]);
  });
});

describe("a passenger is deleted", () => {
  test("once, by its account", () => {
    const command = { type: "DeletePassenger", accountId } as const;
    given([created()])
      .when(command, T0 + 9)
      .then([deleted()]);
    given([created(), deleted()])
      .when(command, T0 + 10)
      .thenRejected("profile_not_found");
    given([created()])
      .when({ ...command, accountId: "acc_2" }, T0 + 9)
      .thenRejected("profile_not_found");
    given([]).when(command, T0).thenRejected("profile_not_found");
  });
});

test("a profile names a traveller: the first name, a space, the last name; none of another account's, deleted or erased", () => {
  const traveller = (history: readonly PassengerEvent[], of = accountId) => travellerOf(given(history).state(), of);
  const changes = changed({ lastName: "King" });
  expect(traveller([created(), changes])).toStrictEqual({ name: "Ada King", email: "Ada@example.com" });
  expect(traveller([created()], "acc_2")).toBe(undefined);
  expect(traveller([created(), deleted()])).toBe(undefined);
  const erased: PassengerEvent = {
    type: "PassengerErased",
    at: T0 + 9,
    data: { passengerId, accountId, freed: FIRST },
  };
  expect(traveller([created(), erased])).toBe(undefined);
  expect(traveller([])).toBe(undefined);
});

test("a profile is what was said of it, and when", () => {
  const change = changed({ email: "countess@example.com", metadata: [] }, T0 + 5, { claim: SECOND, freed: FIRST });
  const history = [created(), closed("c9"), change];
  const profile = {
    ...details,
    id: passengerId,
    accountId,
    email: "countess@example.com",
    metadata: [],
    createdAt: T0,
  };
  expect(given(history).state()).toStrictEqual({
    status: "created",
    profile: { ...profile, updatedAt: T0 + 5, deleted: false },
    claim: SECOND,
    closedClaims: ["c9"],
    changesSize: sizeOfChange(change),
  });
  expect(profileOf(given(history).state(), accountId)?.email).toBe("countess@example.com");
  expect(profileOf(given([...history, deleted()]).state(), accountId)).toBeUndefined();
});
