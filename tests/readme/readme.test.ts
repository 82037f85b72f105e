import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { TravelDocumentBody } from "@travel-booking/api-contract";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { browserOrReason } from "../boarding-passes/kit/browser.ts";
import { pagesOf } from "../boarding-passes/kit/read-pdf.ts";
import { titleOfSkipped } from "../engines/title-of-skipped.ts";
import { ApiClient } from "../support/api-client.ts";
import { operatorCli } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";
import { blocksOf } from "./kit/blocks-of.ts";
import { runInShell, SHELLS, type ShellResult } from "./kit/run-in-shell.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
/** The README and the pages whose blocks go on from its journey, in this order. */
const PAGES = ["README.md", "docs/events.md", "docs/operations.md"];
const JOURNEY = PAGES.map((page) => readFileSync(join(ROOT, page), "utf8")).join("");

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

/** The blocks of this kind, as they are written. */
function blocks(kind: string): readonly string[] {
  return [...JOURNEY.matchAll(/^```sh (.*)\n([\s\S]*?)^```$/gm)].flatMap(([, found, block = ""]) =>
    found === kind ? [block] : [],
  );
}

/** The journey's blocks, and those for operators; without a browser all but the one that needs it. */
function journey(): string {
  const all = JOURNEY.matchAll(/^```sh (?:journey|operator)( pdf)?\n([\s\S]*?)^```$/gm);
  return [...all].flatMap(([, pdf, block = ""]) => (pdf === undefined || hasBrowser ? [block] : [])).join("\n");
}

const [HELPERS = ""] = blocks("journey");

/** What the README and the start-up summary tell a reader to paste, pasted, against a fresh start with its demo. */
describe("commands to paste", () => {
  let service: Service;
  let api: ApiClient;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const BROWSER_PATH = hasBrowser ? browser.path : "none";
    const settings = { RATE_LIMIT_PER_MINUTE: "0", WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" };
    service = await Service.start({ env: { DEMO: "", BROWSER_PATH, ...settings } });
    const { apiKey } = JSON.parse(readFileSync(join(service.dataDir, "demo.json"), "utf8")) as { apiKey: string };
    api = new ApiClient(service.baseUrl, { apiKey });
    // As npm would set it: the Node that runs the service comes first.
    const PATH = `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`;
    env = { BASE: service.baseUrl, DATA_DIR: service.dataDir, PATH };
  });
  afterAll(async () => {
    await service.discard();
    if (hasBrowser) browser.discard();
  });

  describe.each(SHELLS)("the README's journey, and what goes on from it, in %s", (shell) => {
    let folder: string;
    let pasted: ShellResult;
    beforeAll(async () => {
      // What is downloaded stays out of the project.
      folder = mkdtempSync(join(tmpdir(), "travel-booking-journey-"));
      for (const name of ["docs", "node_modules"]) symlinkSync(join(ROOT, name), join(folder, name));
      mkdirSync(join(folder, "tmp"));
      pasted = await runInShell(journey(), { ...env, TMPDIR: join(folder, "tmp") }, { shell, shown: NAMES, folder });
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
        const left = ["boarding-pass-keys.json", name, "docs", "node_modules", "tmp"];
        expect(readdirSync(folder).sort()).toStrictEqual(left.sort());
        expect(pasted.stdout).toContain(`\n${name}\n`);
        const bytes = readFileSync(join(folder, name));
        expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
        const pages = await pagesOf(bytes);
        expect(pages.length).toBe(2);
        expect(pages[0]?.text).toContain("Passport verified");
      });
    });
  });

  test.each(SHELLS)("the commands the start-up summary ends with, in %s, as often as one likes", async (shell) => {
    const [, commands = ""] = service.stdout.split("Hold two seats, book them, pay:\n");
    const PATH = process.env.PATH ?? "";
    for (const _time of ["first", "second"]) {
      const { code, stdout, stderr, values } = await runInShell(commands, { PATH }, { shell, shown: ["BOOKING"] });
      expect([code, stderr]).toStrictEqual([0, ""]);
      expect(stdout).toMatch(/"status":"succeeded".*\n\{.*\}\n$/);
      const booking = (await api.get<Booking>(`/v1/bookings/${values.BOOKING}`)).body;
      expect([booking.status, booking.seats.length]).toStrictEqual(["confirmed", 2]);
    }
  });

  test.each(SHELLS)("the webhook's lines in %s", async (shell) => {
    const receiver = await Receiver.start();
    const lines = [HELPERS, ...blocks("webhook")].join("\n");
    // Port 4000 may be somebody's.
    const { code, stdout, stderr } = await runInShell(lines.replace("http://127.0.0.1:4000/", receiver.url), env, {
      shell,
    });
    await receiver.stop();
    expect([code, stderr]).toStrictEqual([0, ""]);
    expect(stdout).toMatch(/^whsec_.+\n\{.*"status":"succeeded".*\}\n\{"status":"active".*\}\n$/);
  });

  test.each(SHELLS)("an error of the API is shown as it is, in %s", async (shell) => {
    const failing = `${HELPERS}\napi "$BASE/v1/bookings/bkg_none" | pick id`;
    const body = '{"statusCode":404,"message":"no booking with this id","error":"Not Found"}\n';
    const { code, stdout, stderr } = await runInShell(failing, env, { shell });
    expect([code, stdout, stderr]).toStrictEqual([1, "", body]);
  });

  test("the helpers are the same in the README, in the guides and in the start-up summary", () => {
    const functions = (text: string) => (/ *api\(\)[\s\S]*?"\$1"; \}\n/.exec(text)?.[0] ?? "").replaceAll(/^ +/gm, "");
    expect(functions(HELPERS)).toContain("pick()");
    const [ofGuides = ""] = blocksOf(join(ROOT, "query-service/guides/1-quickstart.md"), "sh");
    expect([functions(ofGuides), functions(service.stdout)]).toStrictEqual([functions(HELPERS), functions(HELPERS)]);
  });

  test("nothing to paste has a comment, which zsh takes none of, or what shells replace outside of quotes", () => {
    const guides = readdirSync(join(ROOT, "query-service/guides"))
      .map((file) => readFileSync(join(ROOT, "query-service/guides", file), "utf8"))
      .join("");
    const pasted = [
      ...JOURNEY.matchAll(/^```sh \w.*\n([\s\S]*?)^```$/gm),
      ...guides.matchAll(/^```sh.*\n([\s\S]*?)^```$/gm),
    ];
    const bare = pasted.map(([, block = ""]) => block.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, "''"));
    expect(bare.length).toBeGreaterThan(20);
    expect(bare.flatMap((block) => block.match(/.*(?:(?<!\$)#|!|\w[?[]).*/g) ?? [])).toStrictEqual([]);
    // bash replaces it in double quotes, too.
    const quoted = pasted.flatMap(([, block = ""]) => block.replaceAll(/'[^']*'/g, "").match(/.*!.*/g) ?? []);
    expect(quoted).toStrictEqual([]);
  });

  test("every setting of its page is one the service knows, and the other way round", () => {
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
    const table = readFileSync(join(ROOT, "docs/settings.md"), "utf8");
    const told = new Set(
      [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) => cell.match(/[A-Z][A-Z_]+/g) ?? []),
    );
    expect(told).toStrictEqual(known);
  });

  test("the operator's commands it shows are there", async () => {
    const { stdout } = await operatorCli({ DATA_DIR: service.dataDir }, "--help");
    const known = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z-]+)?)\b/gm)].map(([, name = ""]) => name);
    expect(known).toContain("backup");
    const shown = [...JOURNEY.matchAll(/npx tbs ([a-z].*?)(?:`|$)/gm)].map(([, command = ""]) => command);
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
