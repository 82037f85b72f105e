import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { PassengerProfileBody } from "@travel-booking/api-contract";
import { Client, expectStatus, newKey, type Page } from "./kit/client.ts";
import { expectRefused } from "./kit/problems.ts";
import type { TestResponse } from "./kit/test-response.ts";
import { openWorld, readAllEntries, type World } from "./kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 60 }] });
  ({ alice, bob } = world);
});
afterAll(() => world.discard());

type Headers = Readonly<Record<string, string>>;

const PATH = "/v1/passengers";
const PASSPORT = { number: "L898902C3", expiresOn: "2034-04-15", issuingCountry: "NZ" };

let addresses = 0;
function newEmail(): string {
  addresses += 1;
  return `Traveller.${addresses}@Example.com`;
}

/** Whole numbers below a bound, the same at every run (Park and Miller's generator). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function person(more: object = {}) {
  const required = { firstName: "Ada", lastName: "Lovelace", dateOfBirth: "1985-12-10", nationality: "GB" };
  return { ...required, email: newEmail(), ...more };
}

function create(
  client: Client,
  body: object = person(),
  headers?: Headers,
): Promise<TestResponse<PassengerProfileBody>> {
  return client.post<PassengerProfileBody>(PATH, body, headers);
}

function change(
  client: Client,
  id: string,
  body: object,
  headers?: Headers,
): Promise<TestResponse<PassengerProfileBody>> {
  return client.patch<PassengerProfileBody>(`${PATH}/${id}`, body, headers);
}

function remove(client: Client, id: string): Promise<TestResponse> {
  return client.send("DELETE", `${PATH}/${id}`);
}

async function saved(more: object = {}, client = alice): Promise<PassengerProfileBody> {
  return expectStatus(201, await create(client, person(more)));
}

async function get(id: string, client = alice): Promise<PassengerProfileBody> {
  return expectStatus(200, await client.get<PassengerProfileBody>(`${PATH}/${id}`));
}

async function withEmail(email: string, client = alice): Promise<readonly PassengerProfileBody[]> {
  const query = new URLSearchParams({ email });
  return expectStatus(200, await client.get<Page<PassengerProfileBody>>(`${PATH}?${query}`)).data;
}

describe("a passenger is saved", () => {
  test("with everything", async () => {
    const body = person({
      passport: PASSPORT,
      loyaltyNumber: "TB-7",
      metadata: { "crm id": "42", "": undefined, constructor: "x", 7: "seven" },
      preferences: { seat: "window", meal: "vegetarian", cryosleep: true },
    });
    const made = expectStatus(201, await create(alice, body));
    const { id, createdAt, updatedAt, ...rest } = made;
    expect(rest).toStrictEqual(JSON.parse(JSON.stringify(body)));
    expect(await get(id)).toStrictEqual(made);
  });

  test("once under one Idempotency-Key, and is not in its own way", async () => {
    const key = { "idempotency-key": newKey() };
    const body = person();
    const twins = await Promise.all([1, 2, 3].map(() => create(alice, body, key)));
    for (const twin of twins) expect([twin.status, twin.text]).toStrictEqual([201, twins[0]?.text]);
    const { id } = expectStatus(201, twins[0] as TestResponse<PassengerProfileBody>);
    const again = await create(alice, body, key);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toStrictEqual([
      201,
      twins[0]?.text,
      "true",
    ]);
    expectRefused(await create(alice, { ...body, firstName: "Grace" }, key), 422, "Idempotency-Key");
    expectRefused(await create(alice, body), 409, "a passenger with this email exists");
    expect((await withEmail(body.email)).map((found) => found.id)).toStrictEqual([id]);
  });
});

describe("an e-mail address is one passenger's", () => {
  test("whatever its case, in each account", async () => {
    const { email } = await saved();
    for (const taken of [email, email.toUpperCase(), email.toLowerCase()]) {
      expectRefused(await create(alice, person({ email: taken })), 409, "a passenger with this email exists");
    }
    expect((await create(bob, person({ email }))).status).toBe(201);
  });

  test("of many at once one is saved", async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = newEmail();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          create(alice, person({ email: index % 2 === 0 ? email : email.toUpperCase() })),
        ),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([201, ...Array<number>(7).fill(409)]);
      expect(await withEmail(email)).toStrictEqual([made[0]?.body]);
    }
  });

  test("is free again when its passenger has another one, or is deleted", async () => {
    const first = await saved();
    const moved = expectStatus(200, await change(alice, first.id, { email: newEmail() }));
    const second = await saved({ email: first.email });
    expectRefused(await change(alice, moved.id, { email: first.email }), 409, "a passenger with this email exists");
    expect((await remove(alice, second.id)).status).toBe(204);
    expect(expectStatus(200, await change(alice, moved.id, { email: first.email })).email).toBe(first.email);
    expect((await withEmail(first.email)).map(({ id }) => id)).toStrictEqual([first.id]);
    expect(await withEmail(moved.email)).toStrictEqual([]);
  });
});

describe("a change", () => {
  test("changes what is sent, and tells when", async () => {
    const before = await saved({ passport: PASSPORT });
    await world.advance(60);
    const after = expectStatus(200, await change(alice, before.id, { lastName: "King", nationality: "FR" }));
    expect(after).toStrictEqual({ ...before, lastName: "King", nationality: "FR", updatedAt: after.updatedAt });
    expect(Date.parse(after.updatedAt) - Date.parse(before.updatedAt)).toBeGreaterThanOrEqual(60_000);
    expect(await get(before.id)).toStrictEqual(after);
  });
});

describe("a passenger that is deleted", () => {
  test("is gone, once, and its bookings are not", async () => {
    const { id, email } = await saved();
    const booking = await alice.newBooking("F", { passengers: [{ name: "Ada Lovelace", email }] });
    expect((await remove(alice, id)).status).toBe(204);
    for (const answer of [await remove(alice, id), await alice.get(`${PATH}/${id}`), await change(alice, id, {})]) {
      expectRefused(answer, 404, "no passenger with this id");
    }
    expect(await withEmail(email)).toStrictEqual([]);
    expect(await alice.booking(booking.id)).toStrictEqual(booking);
    expect((await create(alice, person({ email }))).status).toBe(201);
  });
});

describe("the list", () => {
  test("is newest first, page by page, and a change moves nothing", async () => {
    const carol = await world.withScopes(["passengers:read", "passengers:write"]);
    const made: PassengerProfileBody[] = [];
    for (let count = 0; count < 7; count += 1) made.unshift(await saved({}, carol));
    const first = made.at(-1) as PassengerProfileBody;
    made[made.length - 1] = expectStatus(200, await change(carol, first.id, { email: newEmail() }));
    expect(await readAllEntries(carol, PATH, 3)).toStrictEqual(made);
    expect(await readAllEntries(carol, PATH, 100)).toStrictEqual(made);
    expect((await remove(carol, made[3]?.id ?? "")).status).toBe(204);
    expect(await readAllEntries(carol, PATH, 2)).toStrictEqual(made.toSpliced(3, 1));
  });
});

test("what several clients do at once, each with passengers of its own, is what the list shows", async () => {
  const account = await world.service.newApiKey();
  const wanted = Array.from({ length: 5 }, newEmail);
  /** Passengers by id, as their client's answers tell. */
  const told = new Map<string, PassengerProfileBody>();
  const random = randomFrom(20_261_121);
  const live = async (client: Client) => {
    const own: string[] = [];
    for (let step = 0; step < 20; step += 1) {
      const email = wanted[random(wanted.length)] ?? "";
      const id = own[random(own.length + 1)];
      const what = random(4);
      if (id === undefined) {
        const made = await create(client, person({ email }));
        expect([201, 409]).toContain(made.status);
        if (made.status === 201) {
          told.set(made.body.id, made.body);
          own.push(made.body.id);
        }
      } else if (what === 0) {
        expect((await remove(client, id)).status).toBe(204);
        told.delete(id);
        own.splice(own.indexOf(id), 1);
      } else {
        const changed = await change(client, id, what === 1 ? { firstName: `Ada ${step}` } : { email });
        expect(changed.status === 200 || (what > 1 && changed.status === 409)).toBe(true);
        if (changed.status === 200) told.set(id, changed.body);
      }
    }
  };
  const clients = Array.from({ length: 6 }, () => new Client(world.service.baseUrl, account));
  await Promise.all(clients.map(live));
  const listed = await readAllEntries<PassengerProfileBody>(clients[0] as Client, PATH, 2);
  expect(listed.length).toBeGreaterThan(0);
  expect(new Map(listed.map((entry) => [entry.id, entry]))).toStrictEqual(told);
  expect(new Set(listed.map(({ email }) => email.toLowerCase())).size).toBe(listed.length);
  for (const email of wanted) {
    const isTaken = listed.some((entry) => entry.email === email);
    expect((await create(clients[0] as Client, person({ email }))).status).toBe(isTaken ? 409 : 201);
  }
});
