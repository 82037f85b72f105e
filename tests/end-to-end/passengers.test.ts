import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { PassengerProfileBody } from "@travel-booking/api-contract";
import { Client, expectStatus, newKey, type Page } from "./kit/client.ts";
import { expectProblems, expectRefused } from "./kit/problems.ts";
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
const DEFAULTS = {
  passport: null,
  loyaltyNumber: null,
  metadata: {},
  preferences: { seat: "any", meal: "standard", cryosleep: false },
};

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
  test("with what is required, and has the rest by default", async () => {
    const body = person();
    const made = expectStatus(201, await create(alice, body));
    expect(made).toStrictEqual({
      id: made.id,
      ...body,
      ...DEFAULTS,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
    });
    expect(await get(made.id)).toStrictEqual(made);
    expect(Math.abs((await world.now()) - Date.parse(made.createdAt))).toBeLessThan(60_000);
  });

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

  test("an empty metadata value is no key", async () => {
    expect((await saved({ metadata: { a: "", b: "1" } })).metadata).toStrictEqual({ b: "1" });
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

  test("of a creation and changes to the same address one gets it", async () => {
    const email = newEmail();
    const others = await Promise.all([saved(), saved(), saved()]);
    const answers = await Promise.all([
      create(alice, person({ email })),
      ...others.map(({ id }) => change(alice, id, { email })),
    ]);
    const accepted = answers.filter(({ status }) => status < 300);
    expect(accepted).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    expect(await withEmail(email)).toStrictEqual([accepted[0]?.body]);
    for (const { id, email: before } of others) {
      const now = await get(id);
      if (now.id !== accepted[0]?.body.id) expect(now.email).toBe(before);
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

  test("two passengers can't swap theirs, and neither loses it for trying", async () => {
    const [one, other] = [await saved(), await saved()];
    const answers = await Promise.all([
      change(alice, one.id, { email: other.email }),
      change(alice, other.id, { email: one.email }),
    ]);
    expect(answers.map(({ status }) => status)).toStrictEqual([409, 409]);
    expect([await get(one.id), await get(other.id)]).toStrictEqual([one, other]);
  });

  test("of several new ones asked for at once the passenger has one, and the others are free", async () => {
    const { id } = await saved();
    const wanted = Array.from({ length: 6 }, newEmail);
    const answers = await Promise.all(wanted.map((email) => change(alice, id, { email })));
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200]));
    const { email } = await get(id);
    expect(wanted).toContain(email);
    for (const free of wanted)
      expect((await create(alice, person({ email: free }))).status).toBe(free === email ? 409 : 201);
  });

  test("of one new address asked for several times at once, too", async () => {
    const { id } = await saved();
    const email = newEmail();
    const spellings = [email, email.toUpperCase(), email.toLowerCase(), email];
    const answers = await Promise.all(spellings.map((spelling) => change(alice, id, { email: spelling })));
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200]));
    expect((await withEmail(email)).map((found) => found.id)).toStrictEqual([id]);
    expect((await remove(alice, id)).status).toBe(204);
    expect((await create(alice, person({ email }))).status).toBe(201);
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

  test("of nothing, or to what is there already, changes nothing", async () => {
    const before = await saved({ passport: PASSPORT, metadata: { a: "1" } });
    await world.advance(60);
    const { id, createdAt, updatedAt, ...same } = before;
    const bodies = [{}, same, { metadata: { gone: "" } }, { preferences: {} }, { metadata: {} }];
    for (const body of bodies) expect(expectStatus(200, await change(alice, id, body))).toStrictEqual(before);
    expect(await get(id)).toStrictEqual(before);
  });

  test("of the case of an e-mail address alone is one", async () => {
    const before = await saved();
    const email = before.email.toLowerCase();
    expect(expectStatus(200, await change(alice, before.id, { email })).email).toBe(email);
    expect((await withEmail(before.email)).map((found) => found.email)).toStrictEqual([email]);
    expect((await create(alice, person({ email }))).status).toBe(409);
  });

  test("removes passport and loyalty number with null, and puts new ones in", async () => {
    const { id } = await saved({ passport: PASSPORT, loyaltyNumber: "TB-7" });
    const without = expectStatus(200, await change(alice, id, { passport: null, loyaltyNumber: null }));
    expect([without.passport, without.loyaltyNumber]).toStrictEqual([null, null]);
    const passport = { ...PASSPORT, number: "X1" };
    expect(expectStatus(200, await change(alice, id, { passport })).passport).toStrictEqual(passport);
  });

  test("merges metadata and preferences", async () => {
    const { id } = await saved({ metadata: { a: "1", b: "2", c: "3" } });
    const merged = expectStatus(200, await change(alice, id, { metadata: { b: "", c: "4", d: "5" } }));
    expect(merged.metadata).toStrictEqual({ a: "1", c: "4", d: "5" });
    const seated = expectStatus(200, await change(alice, id, { preferences: { seat: "aisle" } }));
    expect(seated.preferences).toStrictEqual({ seat: "aisle", meal: "standard", cryosleep: false });
    const fed = expectStatus(200, await change(alice, id, { preferences: { meal: "vegan", cryosleep: true } }));
    expect(fed.preferences).toStrictEqual({ seat: "aisle", meal: "vegan", cryosleep: true });
  });

  test("leaves twenty keys of metadata at most", async () => {
    const keys = (from: number, to: number, value = "v") =>
      Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`k${from + index}`, value]));
    const { id } = await saved({ metadata: keys(0, 20) });
    const before = await get(id);
    expectProblems(await change(alice, id, { metadata: { more: "1" } }), ["metadata must have at most 20 keys"]);
    expectProblems(await change(alice, id, { metadata: { ...keys(0, 4, ""), ...keys(20, 25) } }), [
      "metadata must have at most 20 keys",
    ]);
    expect(await get(id)).toStrictEqual(before);
    const replaced = expectStatus(200, await change(alice, id, { metadata: { ...keys(0, 20, ""), ...keys(20, 40) } }));
    expect(replaced.metadata).toStrictEqual(keys(20, 40));
  });

  test("is made once under one Idempotency-Key", async () => {
    const { id } = await saved();
    const key = { "idempotency-key": newKey() };
    const email = newEmail();
    const first = await change(alice, id, { email }, key);
    expect((await change(alice, id, { email: newEmail() })).status).toBe(200);
    const again = await change(alice, id, { email }, key);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toStrictEqual([
      200,
      first.text,
      "true",
    ]);
    expect((await get(id)).email).not.toBe(email);
    expectRefused(await change(alice, id, { email: newEmail() }, key), 422, "Idempotency-Key");
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

  test("while it is changed at the same moment keeps no address", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, email } = await saved();
      const next = newEmail();
      const [changed, removed] = await Promise.all([change(alice, id, { email: next }), remove(alice, id)]);
      expect(removed.status).toBe(204);
      expect([200, 404]).toContain(changed.status);
      expect((await alice.get(`${PATH}/${id}`)).status).toBe(404);
      for (const free of [email, next]) expect((await create(alice, person({ email: free }))).status).toBe(201);
    }
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

  test("is of one address where that is asked for, whatever its case", async () => {
    const one = await saved();
    for (const email of [one.email, one.email.toUpperCase()]) expect(await withEmail(email)).toStrictEqual([one]);
    expect(await withEmail(newEmail())).toStrictEqual([]);
    expect(await withEmail(one.email, bob)).toStrictEqual([]);
    expectProblems(await alice.get(`${PATH}?email=ada`), ["email must be an email address"]);
  });

  test("has cursors for itself alone", async () => {
    await saved();
    await saved();
    const page = expectStatus(200, await alice.get<Page<unknown>>(`${PATH}?limit=1`)).page;
    const refused = ["cursor is not one this list has given for these filters"];
    expectProblems(await bob.get(`${PATH}?cursor=${page.nextCursor}`), refused);
    expectProblems(await alice.get(`${PATH}?email=ada@example.com&cursor=${page.nextCursor}`), refused);
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

describe("who may", () => {
  test("another account's passenger is not there", async () => {
    const one = await saved();
    const missing = `psg_${"0".repeat(32)}`;
    const requests: readonly ((id: string) => Promise<TestResponse>)[] = [
      (id) => bob.get(`${PATH}/${id}`),
      (id) => change(bob, id, { firstName: "Eve" }),
      (id) => change(bob, id, {}),
      (id) => change(bob, id, { email: newEmail() }),
      (id) => remove(bob, id),
    ];
    for (const request of requests) {
      const [foreign, none] = [await request(one.id), await request(missing)];
      expect([foreign.status, foreign.text]).toStrictEqual([404, none.text]);
    }
    expect(await get(one.id)).toStrictEqual(one);
  });

  test("reading and writing are scopes of their own", async () => {
    const { id } = await saved();
    const account = world.accountOf.alice;
    const reader = await world.withScopes(["passengers:read"], account);
    const writer = await world.withScopes(["passengers:write"], account);
    expect((await reader.get(`${PATH}/${id}`)).status).toBe(200);
    expect((await reader.get(PATH)).status).toBe(200);
    for (const answer of [await create(reader), await change(reader, id, {}), await remove(reader, id)]) {
      expect([answer.status, answer.headers.get("www-authenticate")]).toStrictEqual([
        403,
        'Bearer error="insufficient_scope", scope="passengers:write"',
      ]);
    }
    expect([(await writer.get(PATH)).status, (await writer.get(`${PATH}/${id}`)).status]).toStrictEqual([403, 403]);
    expect((await change(writer, id, { firstName: "Grace" })).status).toBe(200);
    expect((await remove(writer, id)).status).toBe(204);
  });
});

describe("400", () => {
  const COUNTRY = "must be an ISO 3166-1 alpha-2 country code, such as NZ";
  const DATE = "must be a date of the form YYYY-MM-DD";
  test.each<[object, string[]]>([
    [{ email: "ada" }, ["email must be an email address"]],
    [{ firstName: " " }, ["firstName must not be blank"]],
    [{ lastName: null }, ["lastName must be a string"]],
    [{ dateOfBirth: "2001-02-29" }, ["dateOfBirth is not a day of the calendar"]],
    [{ dateOfBirth: "10/12/1985" }, [`dateOfBirth ${DATE}`]],
    [{ dateOfBirth: "2999-01-01" }, ["dateOfBirth must not be in the future"]],
    [{ nationality: "gb" }, [`nationality ${COUNTRY}`]],
    [{ nationality: "GBR" }, [`nationality ${COUNTRY}`]],
    [{ passport: { ...PASSPORT, expiresOn: "2030-02-30" } }, ["passport.expiresOn is not a day of the calendar"]],
    [{ passport: { ...PASSPORT, issuingCountry: "N1" } }, [`passport.issuingCountry ${COUNTRY}`]],
    [{ passport: { number: "X" } }, ["passport.expiresOn is required", "passport.issuingCountry is required"]],
    [{ metadata: { a: 1 } }, ["metadata.a must be a string"]],
    [{ metadata: { a: null } }, ["metadata.a must be a string"]],
    [
      { preferences: { seat: "throne", meal: "standard", cryosleep: true } },
      ["preferences.seat must be one of window, middle, aisle, any"],
    ],
    [{ id: "psg_mine" }, ["id is not a known field"]],
  ])("%j", async (body, problems) => {
    const email = newEmail();
    const refused = await create(alice, person({ email, ...body }));
    expectProblems(refused, problems);
    expect(await withEmail(email)).toStrictEqual([]);
    expect((await create(alice, person({ email }))).status).toBe(201);
    const { id } = await saved();
    const before = await get(id);
    expect((await change(alice, id, body)).status).toBe(400);
    expect(await get(id)).toStrictEqual(before);
  });

  test("preferences are complete where a passenger is saved", async () => {
    expectProblems(await create(alice, person({ preferences: { seat: "window" } })), [
      "preferences.meal is required",
      "preferences.cryosleep is required",
    ]);
  });

  test("what is required", async () => {
    expectProblems(await create(alice, {}), [
      "firstName is required",
      "lastName is required",
      "email is required",
      "dateOfBirth is required",
      "nationality is required",
    ]);
  });

  test("a day that has just begun is not in the future, one to come is", async () => {
    const today = new Date(await world.now()).toISOString().slice(0, 10);
    const later = new Date(Date.parse(today) + 2 * 86_400_000).toISOString().slice(0, 10);
    const { id } = await saved({ dateOfBirth: today });
    expectProblems(await change(alice, id, { dateOfBirth: later }), ["dateOfBirth must not be in the future"]);
  });
});
