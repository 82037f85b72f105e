import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ADA, ALAN, type Client, expectStatus } from "../kit/client.ts";
import { expectRefused } from "../kit/problems.ts";
import { ECONOMY_SEATS, openWorld, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "F", departsIn: 60 },
      { id: "G", departsIn: 60 },
    ],
  });
  ({ alice, bob } = world);
});
afterAll(() => world.discard());

/** A fifth of a flight's 59 seats. */
const UNPAID = 11;
const nine = [...Array(9)].map((_, n) => ({ name: `Passenger ${n}`, email: `p${n}@example.com` }));

describe("unpaid seats", () => {
  test("sixteen requests at once, and the account has its share of the flight, not all of it", async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => alice.book("F", { passengers: nine })),
      ...Array.from({ length: 8 }, (_, n) => alice.hold("F", [`1${n}A`, `1${n}B`])),
    ]);
    const accepted = answers.filter(({ status }) => status === 201);
    for (const answer of answers.filter((one) => !accepted.includes(one)))
      expectRefused(answer, 409, /quota reached: an account may keep 11 seats of economy/);
    const left = (await alice.seatsLeft("F")) ?? 0;
    expect(left).toBeGreaterThanOrEqual(ECONOMY_SEATS - UNPAID);
    expectStatus(201, await bob.book("F", { passengers: nine }));
    expect(await bob.seatsLeft("F")).toBe(left - 9);
  });

  test("paying, cancelling and releasing make room again", async () => {
    const booking = expectStatus(201, await alice.book("G", { passengers: nine }));
    const hold = expectStatus(201, await alice.hold("G", ["10A", "10B"]));
    const more = () => alice.book("G", { passengers: [ADA, ALAN] });
    expectRefused(await more(), 409, /quota reached/);

    expectStatus(204, await alice.send("DELETE", `/v1/flights/G/seat-holds/${hold.id}`));
    const second = expectStatus(201, await more());
    expectRefused(await more(), 409, /quota reached/);
    expectStatus(200, await alice.cancel(second.id));
    expectStatus(201, await more());
    expectRefused(await more(), 409, /quota reached/);

    expectStatus(201, await alice.pay(booking.id));
    for (let n = 0; n < 4; n++) expectStatus(201, await more());
    expectRefused(await more(), 409, /quota reached/);
  });
});
