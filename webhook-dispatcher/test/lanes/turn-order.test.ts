import { expect, test } from "@jest/globals";
import { SlotAllocator, type SlotHolder } from "../../src/lanes/slots.ts";
import { TurnOrder } from "../../src/lanes/turn-order.ts";

interface Named extends SlotHolder {
  readonly name: string;
}

function endpoint(name: string): Named {
  return { name, accountId: `acc_${name.charAt(0)}`, running: 0, impaired: false };
}

const slots = new SlotAllocator({ slots: 16, perEndpoint: 2, perImpairedEndpoint: 1 });

test("accounts take turns, and so do the endpoints of each, however often they wait again", () => {
  const order = new TurnOrder<Named>();
  for (const name of ["a1", "a2", "a3", "b1", "c1"]) order.add(endpoint(name));
  const taken: string[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const next = order.take(slots);
    if (next === undefined) break;
    taken.push(next.name);
    order.add(next);
  }
  expect(taken).toStrictEqual(["a1", "b1", "c1", "a2", "b1", "c1", "a3", "b1", "c1", "a1", "b1", "c1"]);
});

test("one that has all its slots is passed over until one is free, and what was taken or removed is gone", () => {
  const order = new TurnOrder<Named>();
  const [busy, idle, gone] = [endpoint("a1"), endpoint("b1"), endpoint("c1")];
  busy.running = 2;
  for (const each of [busy, idle, gone]) order.add(each);
  order.delete(gone);
  expect([order.take(slots), order.take(slots)]).toStrictEqual([idle, undefined]);
  busy.running = 1;
  expect([order.take(slots), order.take(slots)]).toStrictEqual([busy, undefined]);
  order.add(gone);
  expect(order.take(slots)).toBe(gone);
});
