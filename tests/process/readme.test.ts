import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Api } from "../support/api.ts";
import { Service } from "../support/service.ts";
import { paste } from "./kit/pasted.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");

interface Booking {
  readonly id: string;
  readonly status: string;
  readonly reference?: string;
  readonly seats: readonly string[];
  readonly totalAmount: number;
}
interface Payment {
  readonly status: string;
  readonly amount: number;
  readonly amountRefunded: number;
  readonly refunds: readonly { readonly amount: number; readonly reason: string }[];
}

/** What the README and the start-up summary tell a reader to paste, pasted, against a fresh start with its demo. */
describe("commands to paste", () => {
  let service: Service;
  let api: Api;
  let path: string;

  beforeAll(async () => {
    service = await Service.start({ env: { DEMO: "" } });
    const { apiKey } = JSON.parse(readFileSync(join(service.dataDir, "demo.json"), "utf8")) as { apiKey: string };
    api = new Api(service.baseUrl, { apiKey });
    // As npm would set it: the Node that runs the service comes first.
    path = `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`;
  }, 60_000);
  afterAll(() => service.discard());

  test("the README's journey", async () => {
    const blocks = [...README.matchAll(/^```sh journey\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? "");
    expect(blocks.length).toBeGreaterThan(3);
    const names = ["KEY", "AFTER", "FLIGHT", "SEATS", "HOLD", "BOOKING", "PAYMENT"];
    const env = { BASE: service.baseUrl, DATA_DIR: service.dataDir, PATH: path };
    const { code, stdout, stderr, values } = await paste(blocks.join("\n"), env, names);
    expect([code, stderr]).toStrictEqual([0, ""]);
    for (const name of names) expect(values[name]).toMatch(/^(?!undefined$|null$).+/);
    expect(stdout).not.toMatch(/"statusCode"|undefined|\[object/);
    expect(stdout.toLowerCase()).toContain("idempotent-replayed: true");
    expect(stdout).toMatch(/^confirmed$/m);
    expect(stdout).toMatch(/^README-2$/m);

    const booking = (await api.get<Booking>(`/v1/bookings/${values.BOOKING}`)).body;
    expect([booking.status, booking.reference]).toStrictEqual(["cancelled", "README-2"]);
    expect(booking.seats).toStrictEqual(JSON.parse(`[${values.SEATS}]`));
    const payment = (await api.get<Payment>(`/v1/payments/${values.PAYMENT}`)).body;
    expect([payment.status, payment.amount, payment.amountRefunded]).toStrictEqual([
      "succeeded",
      booking.totalAmount,
      booking.totalAmount,
    ]);
    expect(payment.refunds.map(({ amount, reason }) => [amount, reason])).toStrictEqual([
      [1_000, "requested_by_customer"],
      [booking.totalAmount - 1_000, "booking_cancelled"],
    ]);
  }, 60_000);

  test("the commands the start-up summary ends with: hold two seats, book them, pay", async () => {
    const [, commands = ""] = service.stdout.split("Hold two seats, book them, pay:\n");
    expect(commands.trim().split("\n").length).toBe(4);
    const { code, stdout, stderr, values } = await paste(commands, { PATH: process.env.PATH ?? "" }, [
      "HOLD",
      "BOOKING",
    ]);
    expect([code, stderr]).toStrictEqual([0, ""]);
    expect(values).toStrictEqual({
      HOLD: expect.stringMatching(/^hld_[0-9a-f]+$/),
      BOOKING: expect.stringMatching(/^bkg_[0-9a-f]+$/),
    });
    expect(stdout).toContain('"status":"succeeded"');
    const booking = (await api.get<Booking>(`/v1/bookings/${values.BOOKING}`)).body;
    expect([booking.status, booking.seats.length]).toStrictEqual(["confirmed", 2]);
  }, 60_000);

  test("every setting of the README is one the service knows, and the other way round", () => {
    const settings = readFileSync(join(ROOT, "packages/runtime/src/settings/settings.ts"), "utf8");
    const known = new Set([...settings.matchAll(/read\(\s*"([A-Z_]+)"/g)].map(([, name]) => name));
    const table = README.slice(README.indexOf("## Settings"), README.indexOf("## Operating it"));
    const told = new Set(
      [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) => cell.match(/[A-Z][A-Z_]+/g) ?? []),
    );
    expect(told).toStrictEqual(known);
  });
});
