import { expect, test } from "@jest/globals";
import {
  dueTasksOfPassenger,
  dueTasksOfPassengerEmail,
  FOLLOW_UP_GRACE,
  type PassengerEmailEvent,
  RECOVERY_GRACE,
} from "../../src/index.ts";
import { accountId, changed, created, deleted, FIRST, passengerId, SECOND, T0 } from "./sample-passenger.ts";

const claim = { accountId, passengerId, ...FIRST };
const none = { opened: [], closed: [] };

function opened(kind: "settle_email_claim" | "release_email", dueAt: number) {
  return [{ key: `${kind}/c1`, dueTask: { kind, accountId, emailKey: "ada", passengerId, claimId: "c1", dueAt } }];
}

test("a claim is owed a profile, until it is taken over or released", () => {
  const claimed: PassengerEmailEvent = { type: "EmailClaimed", at: T0, data: claim };
  expect(dueTasksOfPassengerEmail(claimed)).toStrictEqual({
    opened: opened("settle_email_claim", T0 + RECOVERY_GRACE),
    closed: [],
  });
  expect(dueTasksOfPassenger(created())).toStrictEqual({ opened: [], closed: ["settle_email_claim/c1"] });
  expect(dueTasksOfPassengerEmail({ ...claimed, type: "EmailReleased" })).toStrictEqual({
    opened: [],
    closed: ["settle_email_claim/c1", "release_email/c1"],
  });
});

test("an address that is given up is owed its release", () => {
  const due = T0 + 9 + FOLLOW_UP_GRACE;
  expect(dueTasksOfPassenger(deleted())).toStrictEqual({ opened: opened("release_email", due), closed: [] });
  const moved = changed({ email: "countess@example.com" }, T0 + 9, { claim: SECOND, freed: FIRST });
  expect(dueTasksOfPassenger(moved)).toStrictEqual({
    opened: opened("release_email", due),
    closed: ["settle_email_claim/c2"],
  });
});

test("all else is owed nothing", () => {
  expect(dueTasksOfPassenger(changed({ firstName: "Grace" }))).toStrictEqual(none);
  expect(dueTasksOfPassenger({ type: "PassengerAbandoned", at: T0, data: { passengerId } })).toStrictEqual(none);
  expect(dueTasksOfPassenger({ type: "EmailClaimClosed", at: T0, data: { passengerId, claimId: "c2" } })).toStrictEqual(
    none,
  );
});
