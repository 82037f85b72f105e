import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { SeatMapBody } from "@travel-booking/api-contract";
import { ADA, ALAN, type Client, expectStatus } from "./kit/client.ts";
import { expectProblems, expectRefused } from "./kit/problems.ts";
import { ECONOMY_SEATS, openWorld, type World } from "./kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "F", departsIn: 60 },
      { id: "SMALL", departsIn: 60, rows: [10, 10] },
      { id: "GONE", departsIn: 1 },
    ],
  });
  ({ alice, bob } = world);
});
afterAll(() => world.discard());

const release = (client: Client, holdId: string, flightId = "F") =>
  client.send("DELETE", `/v1/flights/${flightId}/seat-holds/${holdId}`);

async function statusOfSeat(number: string): Promise<string | undefined> {
  const map = expectStatus(200, await alice.get<SeatMapBody>("/v1/flights/F/seat-map"));
  const seats = map.cabins.flatMap(({ rows }) => rows.flatMap((row) => row.seats));
  return seats.find((seat) => seat.number === number)?.status;
}

describe("holding seats", () => {
  test("201, for fifteen minutes", async () => {
    const hold = expectStatus(201, await alice.hold("F", ["12B", "12A"]));
    expect(hold).toStrictEqual({
      id: hold.id,
      flightId: "F",
      cabin: "economy",
      seats: ["12B", "12A"],
      status: "active",
      createdAt: hold.createdAt,
      expiresAt: new Date(Date.parse(hold.createdAt) + 15 * 60_000).toISOString(),
    });
    expect(await alice.seatsLeft("F")).toBe(ECONOMY_SEATS - 2);
  });

  test("nine at most, at least one, none twice", async () => {
    const nine = ["10A", "10B", "10C", "10D", "10E", "10F", "11A", "11B", "11C"];
    expectProblems(await alice.hold("F", [...nine, "11D"]), ["seats must have at most 9 entries"]);
    expectProblems(await alice.hold("F", []), ["seats must have at least 1 entry"]);
    expectProblems(await alice.hold("F", ["10A", "10A"]), ["seats[1] is named twice"]);
    const { id } = expectStatus(201, await alice.hold("F", nine));
    expect((await release(alice, id)).status).toBe(204);
  });

  test("422 for a seat the flight does not have, or seats of two cabins", async () => {
    expectRefused(await alice.hold("F", ["10A", "99Z"]), 422, "99Z");
    expectRefused(await alice.hold("F", ["10a"]), 422, "10a");
    expectRefused(await alice.hold("F", ["1A", "10A"]), 422, "cabin");
  });

  test("409 names the seats that cannot be had, and holds none of the others", async () => {
    expectStatus(201, await alice.hold("F", ["13A"]));
    expectStatus(201, await alice.book("F", { seats: ["13B"] }));
    for (const client of [alice, bob]) {
      expectRefused(await client.hold("F", ["13A", "13C"]), 409, "13A");
      expectRefused(await client.hold("F", ["13C", "13B"]), 409, "13B");
    }
    expectRefused(await alice.hold("F", ["13C", "19F"]), 409, "19F");
    expect(await statusOfSeat("13C")).toBe("available");
  });

  test("409 where only seats owed to unseated passengers are left", async () => {
    const party = [ADA, ALAN, ADA, ALAN, ADA];
    expectStatus(201, await alice.book("SMALL", { passengers: party }));
    expect(await alice.seatsLeft("SMALL")).toBe(1);
    expectRefused(await bob.hold("SMALL", ["10A", "10B"]), 409, "10A, 10B");
    expectStatus(201, await bob.hold("SMALL", ["10A"]));
    expect(await bob.seatsLeft("SMALL")).toBe(0);
    expectRefused(await bob.hold("SMALL", ["10B"]), 409, "10B");
    expectRefused(await bob.book("SMALL"), 409, "not enough seats");
  });

  test("404 without such a flight", async () => {
    expectRefused(await alice.hold("none", ["10A"]), 404, "no flight");
  });
});

describe("releasing a hold", () => {
  test("204, and the seats are free; after that 409", async () => {
    const { id } = expectStatus(201, await alice.hold("F", ["15A"]));
    const released = await release(alice, id);
    expect([released.status, released.text]).toStrictEqual([204, ""]);
    expect(await statusOfSeat("15A")).toBe("available");
    expectRefused(await release(alice, id), 409, "released");
  });

  test("409 once it is used", async () => {
    const { id: holdId } = expectStatus(201, await alice.hold("F", ["15B"]));
    expectStatus(201, await alice.book("F", { holdId }));
    expectRefused(await release(alice, holdId), 409, "used");
    expect(await statusOfSeat("15B")).toBe("booked");
  });

  test("404 for one that is not there, another account's, or of another flight", async () => {
    const { id } = expectStatus(201, await alice.hold("F", ["15C"]));
    expectRefused(await release(bob, id), 404, "no seat hold");
    expectRefused(await release(alice, "hld_none"), 404, "no seat hold");
    expectRefused(await release(alice, id, "SMALL"), 404, "no seat hold");
    expectRefused(await release(alice, id, "none"), 404, "no flight");
    expect(await statusOfSeat("15C")).toBe("held");
  });
});

// Last: time goes on for the whole service.
describe("when its time is up", () => {
  test("the seats are free, the hold can be used no more", async () => {
    const { id: holdId } = expectStatus(201, await alice.hold("F", ["16A"]));
    const booking = await alice.newBooking("F");
    const before = (await alice.seatsLeft("F")) ?? 0;
    const tag = (await alice.get("/v1/flights/F/seat-map")).headers.get("etag") ?? "";
    await world.advance(15 * 60);
    expect(await alice.seatsLeft("F")).toBeGreaterThan(before);
    expect(await statusOfSeat("16A")).toBe("available");
    expect((await alice.get("/v1/flights/F/seat-map", { "if-none-match": tag })).status).toBe(200);
    expectRefused(await alice.book("F", { holdId }), 404, "has expired");
    expectRefused(await alice.patch(`/v1/bookings/${booking.id}`, { holdId }), 404, "has expired");
    expectRefused(await release(alice, holdId), 409, "expired");
    expectStatus(201, await bob.hold("F", ["16A"]));
  });

  test("409 once the flight has departed", async () => {
    await world.advance(24 * 3_600);
    expectRefused(await alice.hold("GONE", ["10A"]), 409, "departed");
    expectRefused(await alice.book("GONE"), 409, "departed");
  });
});
