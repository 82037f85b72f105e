import { afterEach, describe, expect, test } from "@jest/globals";
import type { EmailClaim, PassengerDetails, PassengerEvent } from "@travel-booking/domain";
import { ALL_PARTITION, findPassengerByEmail, PASSENGERS } from "@travel-booking/read-models";
import { passengers } from "../../src/projections/passengers.ts";
import { closeAll, DELIVERIES, deliver, type GivenEvent, type ProjectedModels } from "./kit/deliver.ts";

const T0 = Date.UTC(2027, 0, 1);
const ACCOUNT = "acc_1";

function claimOf(passengerId: string, count = 1, emailKey = `e${count} of ${passengerId}`): EmailClaim {
  return { claimId: `c${count} of ${passengerId}`, emailKey };
}

function detailsOf(id: string): PassengerDetails {
  return {
    firstName: "Ada",
    lastName: "Lovelace",
    email: `${id}@Example.com`,
    dateOfBirth: "1985-12-10",
    nationality: "GB",
    passport: null,
    loyaltyNumber: "TB-7",
    metadata: [
      ["b", "2"],
      ["a", "1"],
    ],
    preferences: { seat: "any", meal: "standard", cryosleep: false },
  };
}

function of(passengerId: string, event: PassengerEvent): GivenEvent {
  return [`passenger-${passengerId}`, event];
}

function created(passengerId: string, accountId = ACCOUNT): GivenEvent {
  const data = { passengerId, accountId, ...detailsOf(passengerId), claim: claimOf(passengerId) };
  return of(passengerId, { type: "PassengerCreated", at: T0, data });
}

function changed(passengerId: string, changes: Partial<PassengerDetails>, emailKey?: string): GivenEvent {
  const data = {
    passengerId,
    accountId: ACCOUNT,
    changes,
    claim: claimOf(passengerId, 2, emailKey),
    freed: claimOf(passengerId),
  };
  return of(passengerId, { type: "PassengerChanged", at: T0 + 1_000, data });
}

function deleted(passengerId: string): GivenEvent {
  const data = { passengerId, accountId: ACCOUNT, freed: claimOf(passengerId) };
  return of(passengerId, { type: "PassengerDeleted", at: T0 + 2_000, data });
}

function erased(passengerId: string, freed: EmailClaim | null = claimOf(passengerId)): GivenEvent {
  const data = { passengerId, accountId: ACCOUNT, freed };
  return of(passengerId, { type: "PassengerErased", at: T0 + 2_000, data });
}

function shown(id: string) {
  const at = new Date(T0).toISOString();
  return { id, ...detailsOf(id), metadata: { a: "1", b: "2" }, createdAt: at, updatedAt: at };
}

const list = (made: ProjectedModels, index: string, partition: string) =>
  made.list("passengers.passenger", index, partition);

describe.each(DELIVERIES)("saved passengers, delivered %s", (delivery) => {
  afterEach(closeAll);

  test("are in the order of their creation by account, and found by id", async () => {
    const history = [created("p1"), created("p2", "acc_2"), created("p3"), changed("p1", { firstName: "Grace" })];
    const made = await deliver(passengers, history, delivery);
    const grace = { ...shown("p1"), firstName: "Grace", updatedAt: new Date(T0 + 1_000).toISOString() };
    expect(await list(made, "byAccount", ACCOUNT)).toStrictEqual([grace, shown("p3")]);
    expect(await list(made, "byAccount", "acc_2")).toStrictEqual([shown("p2")]);
    expect(await made.body("passengers.passenger", "acc_1/p1")).toStrictEqual(grace);
    expect(await made.body("passengers.passenger", "acc_2/p1")).toBeUndefined();
  });

  test("are found by the address they have, and by no other", async () => {
    const moved = changed("p1", { email: "New@example.com" });
    const made = await deliver(passengers, [created("p1"), created("p2"), moved], delivery);
    const find = async (emailKey: string, account = ACCOUNT) =>
      (await findPassengerByEmail(made.models, account, emailKey))?.id;
    expect([await find("e2 of p1"), await find("e1 of p2")]).toStrictEqual(["p1", "p2"]);
    expect([await find("e1 of p1"), await find("e1 of p2", "acc_2")]).toStrictEqual([undefined, undefined]);
  });

  test("leave no data when they are deleted, and their address is free", async () => {
    const next = changed("p2", { email: "p1@example.com" }, "e1 of p1");
    const made = await deliver(passengers, [created("p1"), created("p2"), deleted("p1"), next], delivery);
    expect(await made.document("passengers.passenger", "acc_1/p1")).toBeUndefined();
    expect((await list(made, "byAccount", ACCOUNT)).length).toBe(1);
    expect((await findPassengerByEmail(made.models, ACCOUNT, "e1 of p1"))?.id).toBe("p2");
  });

  test("are shown without their words when they are erased, and their address is free", async () => {
    const made = await deliver(passengers, [created("p1"), created("p2"), erased("p1")], delivery);
    const gone = {
      firstName: "[erased]",
      lastName: "[erased]",
      email: "erased@erased.invalid",
      loyaltyNumber: "[erased]",
    };
    const metadata = { a: "[erased]", b: "[erased]" };
    const rest = { dateOfBirth: "0001-01-01", nationality: "XX", metadata };
    expect(await list(made, "byAccount", ACCOUNT)).toStrictEqual([{ ...shown("p1"), ...gone, ...rest }, shown("p2")]);
    expect(await findPassengerByEmail(made.models, ACCOUNT, "e1 of p1")).toBeUndefined();
  });

  test("are erased after they were deleted, and deleted after they were erased: nothing is left", async () => {
    const history = [created("p1"), deleted("p1"), erased("p1", null), created("p2"), erased("p2"), deleted("p2")];
    const made = await deliver(passengers, history, delivery);
    expect(await list(made, "byAccount", ACCOUNT)).toStrictEqual([]);
    expect(await made.document("passengers.passenger", "acc_1/p1")).toBeUndefined();
  });

  test("are listed by their last use, a booking for them included, until they are erased", async () => {
    const booked = (at: number, ...passengerIds: readonly string[]): GivenEvent => {
      const bookingId = `bkg_${at}`;
      return [`booking-${bookingId}`, { type: "BookingCreated", at, data: { bookingId, passengerIds } }];
    };
    const history = [
      ...[created("p1"), created("p2"), created("p3"), created("p4"), created("p5")],
      ...[changed("p2", { firstName: "Grace" }), deleted("p3"), erased("p4")],
      ...[created("p6"), erased("p6"), deleted("p6")],
      booked(T0 + 5_000, "p1", "p1", "p4"),
      ["booking-bkg_old", { type: "BookingCreated", at: T0 + 6_000, data: { bookingId: "bkg_old" } }] as const,
    ];
    const { models } = await deliver(passengers, history, delivery);
    const { model, oldest: index } = PASSENGERS.kept;
    const range = { index, partition: ALL_PARTITION, order: "ascending", limit: 9 } as const;
    const listed = (await models.page(model, range)).map(({ key, sort }) => [key, Number.parseInt(sort, 10) - T0]);
    expect(listed).toStrictEqual([
      ["p5", 0],
      ["p2", 1_000],
      ["p3", 2_000],
      ["p1", 5_000],
    ]);
  });

  test("are not made by what only concerns claims", async () => {
    const history = [
      of("p1", { type: "PassengerAbandoned", at: T0, data: { passengerId: "p1" } }),
      created("p2"),
      of("p2", { type: "EmailClaimClosed", at: T0 + 1, data: { passengerId: "p2", claimId: "c9" } }),
    ];
    const made = await deliver(passengers, history, delivery);
    expect(await list(made, "byAccount", ACCOUNT)).toStrictEqual([shown("p2")]);
  });
});
