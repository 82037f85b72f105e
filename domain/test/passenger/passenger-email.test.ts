import { describe, expect, test } from "@jest/globals";
import { type PassengerEmailEvent, passengerEmailDecider } from "../../src/index.ts";
import { specification } from "../shared/specification.ts";

const given = specification(passengerEmailDecider);

function claimOf(passengerId: string, claimId: string) {
  return { accountId: "acc_1", emailKey: "ada", passengerId, claimId };
}
const claim = (passengerId: string, claimId: string) =>
  ({ type: "ClaimEmail", ...claimOf(passengerId, claimId) }) as const;
const release = (passengerId: string, claimId: string) =>
  ({ type: "ReleaseEmail", ...claimOf(passengerId, claimId) }) as const;

function claimed(passengerId: string, claimId: string, at = 1): PassengerEmailEvent {
  return { type: "EmailClaimed", at, data: claimOf(passengerId, claimId) };
}
function released(passengerId: string, claimId: string, at = 2): PassengerEmailEvent {
  return { type: "EmailReleased", at, data: claimOf(passengerId, claimId) };
}

describe("an e-mail address", () => {
  test("is claimed for one passenger", () => {
    given([])
      .when(claim("psg_1", "c1"), 1)
      .then([claimed("psg_1", "c1")]);
    given([claimed("psg_1", "c1")])
      .when(claim("psg_2", "c2"), 2)
      .thenRejected({ code: "email_taken", facts: { passengerId: "psg_1" } });
    given([claimed("psg_1", "c1")])
      .when(claim("psg_1", "c1"), 2)
      .then([]);
  });

  test("may be claimed for that passenger several times, and is free when all of those are released", () => {
    given([claimed("psg_1", "c1")])
      .when(claim("psg_1", "c2"), 2)
      .then([claimed("psg_1", "c2", 2)]);
    const twice = [claimed("psg_1", "c1"), claimed("psg_1", "c2")];
    given([...twice, released("psg_1", "c1")])
      .when(claim("psg_2", "c3"), 3)
      .thenRejected("email_taken");
    given([...twice, released("psg_1", "c2"), released("psg_1", "c1")])
      .when(claim("psg_2", "c3"), 3)
      .then([claimed("psg_2", "c3", 3)]);
  });

  test("is released once, by the claim it is held by", () => {
    given([claimed("psg_1", "c1")])
      .when(release("psg_1", "c1"), 2)
      .then([released("psg_1", "c1")]);
    given([claimed("psg_1", "c1"), released("psg_1", "c1")])
      .when(release("psg_1", "c1"), 3)
      .then([]);
    given([claimed("psg_1", "c1")])
      .when(release("psg_1", "c2"), 3)
      .then([]);
    given([]).when(release("psg_1", "c1"), 3).then([]);
  });

  test("knows its holder and the claims it is held by", () => {
    const history = [claimed("psg_1", "c1"), claimed("psg_1", "c2"), released("psg_1", "c1")];
    expect(given(history).state()).toStrictEqual({ status: "held", passengerId: "psg_1", claimIds: ["c2"] });
    expect(given([...history, released("psg_1", "c2")]).state()).toStrictEqual({ status: "free" });
  });
});
