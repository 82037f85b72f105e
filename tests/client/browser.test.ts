import { execFile } from "node:child_process";
import fs from "node:fs";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import puppeteer from "puppeteer";
import { browserOrReason } from "../boarding-passes/kit/browser.ts";
import { freePort } from "../engines/processes/free-port.ts";
import { titleOfSkipped } from "../engines/title-of-skipped.ts";
import { blocksOf } from "../readme/kit/blocks-of.ts";
import { importFlights } from "../support/catalogue.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { Service } from "../support/service.ts";

const CLIENT = path.resolve(import.meta.dirname, "../../packages/client");
const [GUIDE = ""] = blocksOf(path.resolve(CLIENT, "../../query-service/guides/10-browsers.md"), "js");
const PAGE =
  '<title>a shop</title><script type="importmap">{ "imports": { "@travel-booking/client": "/index.js" } }</script>';
const found = await browserOrReason();
const title =
  "a page of an allowed origin uses the client as the guide has it, with the token it is given, and neither key nor secret";

let service: Service;
let folder: string;
let apiKey: string;
let clientId: string;
let clientSecret: string;
const port = await freePort();
const page = createServer(async (request, response) => {
  const { url = "" } = request;
  if (url === "/travel-token") {
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const body = new URLSearchParams({ ...form, scope: "flights:read bookings:read" });
    const answer = await fetch(`${service.baseUrl}/v1/oauth/token`, { method: "POST", body });
    response.end(await answer.text());
  } else if (url === "/guide.js") {
    const lines = GUIDE.replace("https://travel.example.com", service.baseUrl);
    response.setHeader("Content-Type", "text/javascript").end(`${lines}\nexport { flights, travel };`);
  } else if (url.endsWith(".js")) {
    response.setHeader("Content-Type", "text/javascript").end(fs.readFileSync(path.join(folder, url)));
  } else response.setHeader("Content-Type", "text/html").end(PAGE);
});

beforeAll(async () => {
  if (typeof found === "string") return;
  page.listen(port, "127.0.0.1");
  service = await Service.start({ env: { CORS_ORIGINS: `http://127.0.0.1:${port}`, BROWSER_PATH: "none" } });
  await importFlights(service, [{ id: "CORS-1", departsIn: 60 }]);
  const key = await service.newApiKey();
  apiKey = key.apiKey;
  const issued = await service.operator("POST", "/credentials", { accountId: key.accountId, kind: "oauth-client" });
  ({ clientId, clientSecret } = issued.body as { clientId: string; clientSecret: string });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "travel-booking-page-"));
  const compiler = path.join(CLIENT, "node_modules/typescript/bin/tsc");
  const line = [compiler, "-p", path.join(CLIENT, "tsconfig.build.json"), "--outDir", folder];
  await promisify(execFile)(process.execPath, line, { env: childEnvironment() });
});
afterAll(async () => {
  if (typeof found === "string") return;
  page.close();
  await service.discard();
  fs.rmSync(folder, { recursive: true });
  found.discard();
});

(typeof found === "string" ? test.skip : test)(
  typeof found === "string" ? titleOfSkipped(title, found) : title,
  async () => {
    const { path: executablePath } = found as Exclude<typeof found, string>;
    const browser = await puppeteer.launch({ executablePath, headless: "shell", args: ["--no-sandbox"] });
    try {
      const tab = await browser.newPage();
      await tab.goto(`http://127.0.0.1:${port}/`);
      const script = async (baseUrl: string, apiKey: string, form: Record<string, string>) => {
        type Client = typeof import("../../packages/client/src/index.ts");
        const names = ["/index.js", "/guide.js"];
        const [{ TravelBooking }, { flights, travel }] = (await Promise.all(
          names.map((name) => import(name)),
        )) as unknown as [Client, { flights: { id: string }[]; travel: InstanceType<Client["TravelBooking"]> }];
        const failure = (call: Promise<unknown>) =>
          call.then(
            () => "none",
            ({ name, code }) => [name, code],
          );
        const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
        const token = { method: "POST", body: new URLSearchParams(form) };
        return [
          flights.map(({ id }) => id),
          await failure(travel.bookings.retrieve("bkg_none")),
          await failure(travel.bookings.create({ flightId: "CORS-1", cabin: "economy", passengers })),
          await failure(new TravelBooking({ baseUrl, apiKey, maxRetries: 0 }).flights.retrieve("CORS-1")),
          await failure(fetch(`${baseUrl}/v1/oauth/token`, token)),
        ];
      };
      const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
      expect(await tab.evaluate(script, service.baseUrl, apiKey, form)).toStrictEqual([
        ["CORS-1"],
        ["NotFoundError", "booking_not_found"],
        ["PermissionError", "insufficient_scope"],
        ["ConnectionError", null],
        ["TypeError", null],
      ]);
    } finally {
      await browser.close();
    }
  },
);
