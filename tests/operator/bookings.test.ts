import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Client, expectStatus } from "../end-to-end/kit/client.ts";
import { DESTINATIONS, flightOf, importCatalogue } from "../end-to-end/kit/world.ts";
import { operatorCli } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";

/** What an operator does in the place of a booking's owner (docs/rules.md#in-the-place-of-the-owner). */

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_PER_MINUTE: "0" } });
  client = new Client(service.baseUrl, await service.newApiKey());
  await importCatalogue(service, {
    destinations: [DESTINATIONS[0]],
    flights: [flightOf({ id: "OP-1", departsIn: 40 }, Date.now())],
  });
});
afterAll(() => service.discard());

const WORDS = "Grandmother is ill";

async function cli(...line: readonly string[]): Promise<Record<string, unknown>> {
  const env = { DATA_DIR: service.dataDir, OPERATOR_NAME: "Ola" };
  const { code, stdout, stderr } = await operatorCli(env, ...line, "--json");
  expect([code, stderr]).toStrictEqual([0, ""]);
  return JSON.parse(stdout);
}

async function refused(...line: readonly string[]): Promise<string> {
  const { code, stderr } = await operatorCli({ DATA_DIR: service.dataDir }, ...line);
  expect(code).toBe(1);
  return stderr.trim();
}

interface Entry {
  readonly type: string;
  readonly actor: { readonly kind: string; readonly id: string };
}

test("cancel, refund, reseat and note: the owner's own commands, by the operator's name, with words only operators see", async () => {
  const { id } = await client.newBooking("OP-1");
  expect(await cli("booking", "note", id, WORDS)).toStrictEqual({ id, status: "noted" });
  expect(await cli("booking", "reseat", id, "10A", "--reason", WORDS)).toMatchObject({ id, seats: ["10A"] });
  expectStatus(201, await client.pay(id));
  const { totalAmount: total } = await client.booking(id);
  const part = ["booking", "refund", id, "--sum", "5.00", "--reason", WORDS];
  expect(await cli(...part)).toMatchObject({ amount: 500, reason: "requested_by_customer", status: "succeeded" });
  expect((await cli("booking", "show", id)).cancellation).toStrictEqual({ refundAmount: total - 500, credit: 0 });
  expect(await cli("booking", "cancel", id, "--reason", WORDS)).toMatchObject({ id, status: "cancelled" });

  const history = await client.get<{ readonly data: readonly Entry[] }>(`/v1/bookings/${id}/history`);
  const byOperator = history.body.data.filter(({ actor }) => actor.kind === "operator" && actor.id === "Ola");
  expect(byOperator.map(({ type }) => type)).toStrictEqual([
    "booking.changed",
    "refund.created",
    "booking.cancelled",
    "refund.created",
  ]);
  const seen = [history.text, (await client.get(`/v1/bookings/${id}`)).text, (await client.get("/v1/events")).text];
  expect(seen.filter((text) => text.includes(WORDS))).toStrictEqual([]);

  const { timeline } = (await cli("booking", "show", id)) as { timeline: readonly { type: string; data: unknown }[] };
  const notes = timeline.filter(({ type }) => type === "NoteAdded").map(({ data }) => data);
  expect(notes).toStrictEqual(Array(4).fill({ text: WORDS }));
  await cli("booking", "erase", id);
  expect(JSON.stringify(await cli("booking", "show", id))).not.toContain(WORDS);
  expect(await refused("booking", "note", id, WORDS)).toBe("no booking with this id, or it is forgotten");
});

test("of a booking of which one is forgotten nothing is said, neither by operators nor by its owner", async () => {
  const passengers = ["Ada", "Bob"].map((name) => ({ name, email: `${name}@example.com` }));
  const { id } = await client.newBooking("OP-1", { passengers });
  await cli("booking", "cancel", id);
  await cli("booking", "erase", id, "--passenger", "0");
  expect(await refused("booking", "note", id, WORDS)).toBe("no booking with this id, or it is forgotten");
  expect(await refused("booking", "cancel", id, "--reason", WORDS)).toMatch(/^people of this booking are forgotten/);
});

test("what the owner would be refused, the operator is, in the same words", async () => {
  const { id } = await client.newBooking("OP-1");
  expect(await refused("booking", "refund", id)).toBe("the booking has no such payment");
  expect(await refused("booking", "reseat", id, "10A", "10B")).toBe(
    "the number of seats does not match the number of passengers",
  );
  expect(await refused("booking", "reseat", id, "99Z")).toBe("no such seat on this flight: 99Z");
  for (const line of [["cancel"], ["refund"], ["reseat", "1A"], ["note", "x"]])
    expect(await refused("booking", line[0] ?? "", "bkg_none", ...line.slice(1))).toMatch(/^no booking with this id/);
  const { booking: paid } = await client.paidBooking("OP-1");
  expect(await refused("booking", "refund", paid.id, "--sum", "9999999.00")).toMatch(/^the amount is more than/);
  await cli("booking", "refund", paid.id);
  expect(await refused("booking", "refund", paid.id)).toBe("the payment is already fully refunded");
});
