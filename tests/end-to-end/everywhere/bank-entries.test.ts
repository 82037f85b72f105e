import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Client, expectStatus } from "../kit/client.ts";
import { openWorld, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "FAR", departsIn: 400 }] });
  ({ alice } = world);
});
afterAll(() => world.discard());

interface Row {
  readonly id: string;
  readonly paymentId: string | null;
  readonly amount: number;
  readonly status: string;
}

const receive = (body: object) => world.service.operator("POST", "/transfers", body);

/** Entries with their amounts and statuses. */
async function rows(): Promise<readonly string[]> {
  const { body } = await world.service.operator("GET", "/transfers");
  return (body as { readonly data: readonly Row[] }).data.map(({ id, paymentId, amount, status }) =>
    [
      id.replace(/^ret_[0-9a-f]+_/, "return of "),
      amount,
      status,
      paymentId === null ? "nobody's" : "a payment's",
    ].join(),
  );
}

test("each cent that comes stands in one row, whatever becomes of it", async () => {
  const { id, totalAmount } = await alice.newBooking("FAR");
  const payment = expectStatus(201, await alice.pay(id, { type: "bank_transfer" }));
  const reference = payment.method.bankTransfer?.reference ?? "";
  for (const [entryId, amount] of [
    ["paid", totalAmount],
    ["late", 300],
    ["back", 200],
  ] as const) {
    expect((await receive({ reference: "of Ada Lovelace", amount, entryId })).status).toBe(404);
  }
  const unmatched = [
    `paid,${totalAmount},unmatched,nobody's`,
    "late,300,unmatched,nobody's",
    "back,200,unmatched,nobody's",
  ];
  expect((await rows()).toSorted()).toStrictEqual(unmatched.toSorted());

  expect((await receive({ reference, amount: totalAmount, entryId: "paid" })).status).toBe(200);
  expect((await alice.booking(id)).status).toBe("confirmed");
  expect((await receive({ reference, amount: 300, entryId: "late" })).status).toBe(200);
  expect((await receive({ reference, amount: 301, entryId: "late" })).status).toBe(409);
  expect((await world.service.operator("POST", "/transfers/back/returned")).status).toBe(200);
  expect((await rows()).toSorted()).toStrictEqual([
    "back,200,returned,nobody's",
    `paid,${totalAmount},applied,a payment's`,
    "return of late,300,to_return,a payment's",
  ]);
});
