import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { TravelDocumentBody } from "@travel-booking/api-contract";
import { browserOrReason } from "../boarding-passes/kit/browser.ts";
import { pagesOf } from "../boarding-passes/kit/read-pdf.ts";
import { titleOfSkipped } from "../engines/title-of-skipped.ts";
import { ApiClient } from "../support/api-client.ts";
import { operatorCli } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";
import { runInShell } from "./kit/run-in-shell.ts";

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

const NAMES = ["KEY", "AFTER", "FLIGHT", "SEATS", "HOLD", "BOOKING", "PAYMENT"];

const browser = await browserOrReason();
const hasBrowser = typeof browser !== "string";

/** The journey's blocks as they are written; without a browser all but the one that needs it. */
function journey(): string {
  const blocks = [...README.matchAll(/^```sh journey( pdf)?\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(3);
  return blocks.flatMap(([, pdf, block = ""]) => (pdf === undefined || hasBrowser ? [block] : [])).join("\n");
}

/** What the README and the start-up summary tell a reader to paste, pasted, against a fresh start with its demo. */
describe("commands to paste", () => {
  let service: Service;
  let api: ApiClient;
  let path: string;

  beforeAll(async () => {
    service = await Service.start({ env: { DEMO: "", BROWSER_PATH: hasBrowser ? browser.path : "none" } });
    const { apiKey } = JSON.parse(readFileSync(join(service.dataDir, "demo.json"), "utf8")) as { apiKey: string };
    api = new ApiClient(service.baseUrl, { apiKey });
    // As npm would set it: the Node that runs the service comes first.
    path = `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`;
  });
  afterAll(async () => {
    await service.discard();
    if (hasBrowser) browser.discard();
  });

  describe("the README's journey", () => {
    let folder: string;
    let pasted: Awaited<ReturnType<typeof runInShell>>;
    beforeAll(async () => {
      // What is downloaded stays out of the project.
      folder = mkdtempSync(join(tmpdir(), "travel-booking-journey-"));
      symlinkSync(join(ROOT, "docs"), join(folder, "docs"));
      const env = { BASE: service.baseUrl, DATA_DIR: service.dataDir, PATH: path };
      pasted = await runInShell(journey(), env, NAMES, folder);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test("books, pays, changes, is refunded and cancels", async () => {
      const { code, stdout, stderr, values } = pasted;
      expect([code, stderr]).toStrictEqual([0, ""]);
      for (const name of NAMES) expect(values[name]).toMatch(/^(?!undefined$|null$).+/);
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
    });

    test("has the sample passport verified, and shows it on the pass of its holder", async () => {
      const { stdout, values } = pasted;
      expect(stdout).toMatch(/^passport verified$/m);
      const [one, other] = JSON.parse(`[${values.SEATS}]`) as string[];
      expect(stdout).toContain(`\nAda Lovelace ${one} ok, Alan Turing ${other} missing\n`);
      const { data } = (await api.get<{ data: TravelDocumentBody[] }>(`/v1/bookings/${values.BOOKING}/documents`)).body;
      expect(data).toMatchObject([{ fileName: "passport.pdf", kind: "passport", status: "verified" }]);
    });

    const title = "the boarding pass";
    (hasBrowser ? describe : describe.skip)(hasBrowser ? title : titleOfSkipped(title, browser), () => {
      test("is downloaded as a PDF with a page for each passenger", async () => {
        const name = `boarding-pass-${pasted.values.BOOKING}.pdf`;
        expect(readdirSync(folder).sort()).toStrictEqual([name, "docs"]);
        expect(pasted.stdout).toContain(`\n${name}\n`);
        const bytes = readFileSync(join(folder, name));
        expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
        const pages = await pagesOf(bytes);
        expect(pages.length).toBe(2);
        expect(pages[0]?.text).toContain("Passport verified");
      });
    });
  });

  test("the commands the start-up summary ends with: hold two seats, book them, pay", async () => {
    const [, commands = ""] = service.stdout.split("Hold two seats, book them, pay:\n");
    expect(commands.trim().split("\n").length).toBe(4);
    const { code, stdout, stderr, values } = await runInShell(commands, { PATH: process.env.PATH ?? "" }, [
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
  });

  test("every setting of the README is one the service knows, and the other way round", () => {
    const settings = [
      "runtime/src/settings.ts",
      "payment-gateway/src/gateways.ts",
      "payment-gateway/src/stripe/settings.ts",
    ]
      .map((file) => readFileSync(join(ROOT, "packages", file), "utf8"))
      .join("");
    const known = new Set(
      [...settings.matchAll(/(?:setting\(|secret\(|environment\.)\s*"?([A-Z_]+)/g)].map(([, name]) => name),
    );
    const table = README.slice(README.indexOf("## Settings"), README.indexOf("## Operating it"));
    const told = new Set(
      [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) => cell.match(/[A-Z][A-Z_]+/g) ?? []),
    );
    expect(told).toStrictEqual(known);
  });

  test("the operator's commands it shows are there", async () => {
    const { stdout } = await operatorCli({ DATA_DIR: service.dataDir }, "--help");
    const known = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)\b/gm)].map(([, name = ""]) => name);
    expect(known).toContain("backup");
    const shown = [...README.matchAll(/npx tbs ([a-z].*?)(?:`|$)/gm)].map(([, command = ""]) => command);
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.filter((command) => !known.some((name) => `${command} `.startsWith(`${name} `)))).toStrictEqual([]);
  });

  test("every package has its place in the table of folders", () => {
    const table = README.slice(README.indexOf("## Where things are"));
    const told = [...table.matchAll(/^\|(.*?)\|(.*?)\|$/gm)].flatMap(([, folders = "", what = ""]) => {
      const named = (text: string) => [...text.matchAll(/`([\w./-]+)`/g)].map(([, name = ""]) => name);
      if (folders.includes("…")) return named(what);
      const [first = "", ...others] = named(folders);
      if (!first.startsWith("packages/")) return [];
      const name = first.slice("packages/".length);
      return [name, ...others.map((other) => (other.startsWith("-") ? name.replace(/-[a-z]+$/, other) : other))];
    });
    const packages = readdirSync(join(ROOT, "packages")).filter((name) =>
      existsSync(join(ROOT, "packages", name, "package.json")),
    );
    expect(told.toSorted()).toStrictEqual(packages.toSorted());
  });
});
