import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";
import { ALL_RESOLUTIONS, CLIENT, compile, installClient, type Resolution } from "./kit/installed-client.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

/** TypeScript of today, and the one before that most projects have. Older ones: tests/generators/compilers.test.ts. */
const COMPILERS: readonly (readonly [string, readonly Resolution[]])[] = [
  [path.join(ROOT, "node_modules/typescript"), ["nodenext", "node16", "bundler"]],
  [path.join(CLIENT, "node_modules/typescript"), ALL_RESOLUTIONS],
];

/** The Node of this run, and the one that the machine has, where that is another. */
const NODES = [...new Set([process.execPath, ...installedNodes()])];

function installedNodes(): readonly string[] {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.includes("node_modules"));
  const found = folders.map((folder) => path.join(folder, "node")).find((file) => fs.existsSync(file));
  return found === undefined ? [] : [fs.realpathSync(found)];
}

let project: string;

beforeAll(async () => {
  project = await installClient();
});
afterAll(() => fs.rmSync(project, { recursive: true, force: true }));

test("the package is JavaScript, types and a page, and brings nothing else", () => {
  expect(fs.readdirSync(path.join(project, "node_modules")).sort()).toStrictEqual([
    ".package-lock.json",
    "@travel-booking",
  ]);
  const files = fs.readdirSync(path.join(project, "node_modules/@travel-booking/client"), { recursive: true });
  const kinds = new Set(files.map((file) => /\.(?:d\.ts|js|json|md)$/.exec(String(file))?.[0]));
  expect([...kinds].map(String).sort()).toStrictEqual([".d.ts", ".js", ".json", ".md", "undefined"]);
});

describe.each(COMPILERS)("its types with %s", (typescript, resolutions) => {
  test.each(resolutions)(
    "compile strictly, for browsers and Node, and refuse what is wrong: %s",
    async (resolution) => {
      const complaints = [await compile(project, typescript, resolution, [])];
      complaints.push(await compile(project, typescript, resolution, ["node"]));
      expect(complaints).toStrictEqual(["", ""]);
    },
  );
});

describe("against a running service", () => {
  let service: Service;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    service = await Service.start({ env: { DEMO: "", RATE_LIMIT_PER_MINUTE: "0", BROWSER_PATH: "none" } });
    const demo = JSON.parse(fs.readFileSync(path.join(service.dataDir, "demo.json"), "utf8")) as Record<string, string>;
    // Until the demo account has lived: else it takes seats that the journey has seen free.
    const api = new ApiClient(service.baseUrl, { apiKey: demo.apiKey ?? "" });
    await until(
      async () => (await api.get<{ pointsBalance: number }>("/v1/loyalty/account")).body.pointsBalance === 55_000,
    );
    const { apiKey: API_KEY, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = demo;
    env = { ...childEnvironment(), BASE: service.baseUrl, API_KEY, CLIENT_ID, CLIENT_SECRET };
  });
  afterAll(() => service.discard());

  const script = async (node: string, name: string, code: string) => {
    fs.writeFileSync(path.join(project, name), code);
    return (await run(node, [name], { cwd: project, env })).stdout;
  };

  test.each(NODES)("the lines of its page run on %s", async (node) => {
    const page = fs.readFileSync(path.join(ROOT, "packages/client/README.md"), "utf8");
    const [, lines = ""] = /^```js client\n([\s\S]*?)^```$/m.exec(page) ?? [];
    expect(await script(node, "readme.js", lines)).toMatch(
      /^succeeded null\n(?:(?:pending|confirmed|cancelled)\n)*confirmed\n/,
    );
  });

  test.each(NODES)("it is CommonJS, too, on %s", async (node) => {
    const code = `
      const client = require("@travel-booking/client");
      const travel = new client.TravelBooking({ baseUrl: process.env.BASE, apiKey: process.env.API_KEY });
      const failed = travel.bookings.retrieve("bkg_none").catch((error) => error instanceof client.NotFoundError);
      Promise.all([failed, import("@travel-booking/client")]).then(([isOurs, modules]) => {
        console.log(JSON.stringify([isOurs, Object.keys(client).filter((name) => !(name in modules))]));
      });`;
    expect(JSON.parse(await script(node, "required.cjs", code))).toStrictEqual([true, []]);
  });

  test.each(NODES)("the journey runs on %s", async (node) => {
    const code = fs.readFileSync(path.join(import.meta.dirname, "kit/journey.txt"), "utf8");
    const PASSPORT = path.join(ROOT, "docs/examples/passport.pdf");
    env = { ...env, PASSPORT };
    expect(JSON.parse(await script(node, "journey.js", code))).toStrictEqual({
      held: "active",
      created: "pending",
      declined: ["failed", "card_declined"],
      paid: "succeeded",
      again: true,
      followed: ["payment.failed", "payment.succeeded", "booking.confirmed"],
      pass: expect.stringMatching(/^\d+[A-Z]$/),
      uploaded: ["passport.pdf"],
      previous: "client-1",
      refunded: 1000,
      cancelled: "cancelled",
      history: true,
      missing: ["NotFoundError", 404, true],
      invalid: ["BadRequestError", 3],
      deleted: "NotFoundError",
    });
  });
});
