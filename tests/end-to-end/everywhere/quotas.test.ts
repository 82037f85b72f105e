import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Client, expectStatus } from "../kit/client.ts";
import { expectRefused } from "../kit/problems.ts";
import { documentsOf, upload } from "../kit/upload.ts";
import { ECONOMY_SEATS, openWorld, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld({
    // That of unpaid seats is the default.
    env: { QUOTA_OPEN_HOLDS: "5", QUOTA_PASSENGERS: "3", QUOTA_DOCUMENTS: "4", QUOTA_DOCUMENTS_MB: "1" },
    flights: ["F", "G", "H", "I", "J", "K"].map((id) => ({ id, departsIn: 60 })),
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
      ...Array.from({ length: 8 }, (_, n) => alice.hold("F", [`1${n}A`, `1${n}B`, `1${n}C`])),
    ]);
    const accepted = answers.filter(({ status }) => status === 201);
    for (const answer of answers.filter((one) => !accepted.includes(one)))
      expectRefused(answer, 409, /quota reached: an account may keep 11 seats of economy|active seat holds/);
    const left = (await alice.seatsLeft("F")) ?? 0;
    expect(left).toBeGreaterThanOrEqual(ECONOMY_SEATS - UNPAID);
    expectStatus(201, await bob.book("F", { passengers: nine }));
    expect(await bob.seatsLeft("F")).toBe(left - 9);
  });
});

describe("open holds", () => {
  const HOLDS = 5;
  const seat = (n: number) => `1${Math.floor(n / 6)}${"ABCDEF"[n % 6]}`;
  const refused = /quota reached: an account may have 5 active seat holds/;
  const holdOne = (client: Client, n: number) => client.hold(n % 2 === 0 ? "H" : "I", [seat(n)]);

  test("one after the other, on several flights: the bound is exact; released, used and expired ones do not count", async () => {
    const carol = await world.withScopes(["flights:read", "bookings:read", "bookings:write"]);
    const made = [];
    for (let n = 0; n < HOLDS; n += 1) made.push(expectStatus(201, await holdOne(carol, n)));
    expectRefused(await holdOne(carol, 5), 409, refused);
    expectRefused(await holdOne(carol, 5), 409, refused);
    expectStatus(201, await holdOne(bob, 29));

    expectStatus(204, await carol.send("DELETE", `/v1/flights/H/seat-holds/${made[0]?.id}`));
    expectStatus(201, await holdOne(carol, 5));
    expectRefused(await holdOne(carol, 6), 409, refused);
    expectStatus(201, await carol.book("I", { holdId: made[1]?.id }));
    expectStatus(201, await holdOne(carol, 6));
    expectRefused(await holdOne(carol, 7), 409, refused);
    await world.advance(15 * 60);
    for (let n = 7; n < 7 + HOLDS; n += 1) expectStatus(201, await holdOne(carol, n));
    expectRefused(await holdOne(carol, 20), 409, refused);
  });

  test("many at once: no more than there may be, and afterwards as many", async () => {
    const erin = await world.withScopes(["bookings:write"]);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => erin.hold("G", [seat(20 + n)])));
    let made = answers.filter(({ status }) => status === 201).length;
    expect(made).toBeGreaterThan(0);
    for (; made < HOLDS; made += 1) expectStatus(201, await erin.hold("H", [seat(30 + made)]));
    expect(made).toBe(HOLDS);
    expectRefused(await erin.hold("H", [seat(36)]), 409, refused);
  });
});

test("saved passengers: the bound is exact, 403 says so, and a deleted one makes room", async () => {
  const person = (n: number) => ({
    firstName: "Ada",
    lastName: "Lovelace",
    email: `ada-${n}@example.com`,
    dateOfBirth: "1990-12-10",
    nationality: "GB",
  });
  const save = (client: Client, n: number) => client.post<{ id: string }>("/v1/passengers", person(n));
  const refused = /quota reached: an account may save 3 passengers/;
  const first = expectStatus(201, await save(alice, 0));
  expect((await save(alice, 0)).status).toBe(409);
  expectStatus(201, await save(alice, 1));
  expectStatus(201, await save(alice, 2));
  expectRefused(await save(alice, 3), 403, refused);
  expectStatus(201, await save(bob, 3));
  expectStatus(204, await alice.send("DELETE", `/v1/passengers/${first.id}`));
  const key = { "idempotency-key": "a-passenger-again" };
  expectStatus(201, await alice.post("/v1/passengers", person(4), key));
  expectRefused(await save(alice, 5), 403, refused);
  expectStatus(201, await alice.post("/v1/passengers", person(4), key));
});

describe("documents", () => {
  const bytes = (count: number) => Buffer.concat([Buffer.from("%PDF-1.4\n"), Buffer.alloc(count)]).subarray(0, count);
  const HALF = 524_288;
  const SCOPES = ["bookings:read", "bookings:write"];

  test("so many of one account, over all bookings", async () => {
    const frank = await world.withScopes(SCOPES);
    const one = expectStatus(201, await frank.book("I"));
    const other = expectStatus(201, await frank.book("I"));
    for (const { id } of [one, other, one, other]) expectStatus(201, await upload(frank, id, { content: bytes(40) }));
    expectRefused(
      await upload(frank, one.id, { content: bytes(40) }),
      403,
      /quota reached: an account may upload 4 documents/,
    );
    expect(await documentsOf(frank, one.id)).toHaveLength(2);
  });

  test("so many bytes of one account, to the byte", async () => {
    const grace = await world.withScopes(SCOPES);
    const { id } = expectStatus(201, await grace.book("I"));
    const refused = /quota reached: the documents of an account may have 1048576 bytes together/;
    expectStatus(201, await upload(grace, id, { content: bytes(HALF) }));
    expectRefused(await upload(grace, id, { content: bytes(2 * HALF) }), 403, refused);
    expectRefused(await upload(grace, id, { content: bytes(HALF + 1) }), 403, refused);
    expect((await upload(grace, id, { content: "no document" })).status).toBe(400);
    expectStatus(201, await upload(grace, id, { content: bytes(HALF) }));
    expectRefused(await upload(grace, id, { content: bytes(1) }), 403, refused);
    expect(await documentsOf(grace, id)).toHaveLength(2);
  });
});
