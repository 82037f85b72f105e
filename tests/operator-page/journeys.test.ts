import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { SeatMapBody } from "@travel-booking/api-contract";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import sharp from "sharp";
import { titleOfSkipped } from "../engines/title-of-skipped.ts";
import { ApiClient } from "../support/api-client.ts";
import { catalogueOf, importFlights } from "../support/catalogue.ts";
import { appendPoisonEventsTo } from "../support/poison-event.ts";
import { Service } from "../support/service.ts";
import { browserOrReason, OPERATOR, OperatorBrowser, type TestBrowser } from "./kit/operator-browser.ts";

const ENV = {
  RATE_LIMIT_PER_MINUTE: "0",
  WEBHOOK_ALLOW_PRIVATE_TARGETS: "true",
  SANDBOX_CLOCK: "true",
  LOG_LEVEL: "warn",
};
const HOSTILE = `Ada"><img src=x onerror=alert(1)><script>alert(2)</script>`;
const REFUSED = "Failed to load resource: the server responded with a status of 409 (Conflict)";
const DOWN = "<h1>The database is down</h1><script>alert(3)</script>";

const found = await browserOrReason();
const suite = typeof found === "string" ? describe.skip : describe;

suite(typeof found === "string" ? titleOfSkipped("the operator's page", found) : "the operator's page", () => {
  let service: Service;
  let receiver: Receiver;
  let api: ApiClient;
  let operator: OperatorBrowser;
  let bookingId: string;
  let accountId: string;
  let apiKey: string;
  let endpointId: string;

  beforeAll(async () => {
    receiver = await Receiver.start();
    receiver.respond = (_, response) => {
      response.writeHead(500).end(DOWN);
    };
    service = await Service.start({ env: ENV });
    await importFlights(service, [{ id: "OP-1", departsIn: 60 }]);
    const key = await service.newApiKey();
    accountId = key.accountId;
    apiKey = key.apiKey;
    api = new ApiClient(service.baseUrl, key);
    const events = ["booking.confirmed", "payment.succeeded", "booking.changed"];
    endpointId = (await made("/v1/webhook-endpoints", { url: receiver.url, events })).id;
    bookingId = (
      await made("/v1/bookings", {
        flightId: "OP-1",
        cabin: "economy",
        passengers: [{ name: HOSTILE, email: "ada@example.com" }],
      })
    ).id;
    operator = await OperatorBrowser.open(found as TestBrowser, service.operatorUrl);
    await operator.signIn(readFileSync(join(service.dataDir, "operator-token"), "utf8").trim());
  });
  afterAll(async () => {
    await operator.close();
    await receiver.stop();
    await service.discard();
    (found as TestBrowser).discard();
  });

  async function made(path: string, body: object, key = "once"): Promise<{ readonly id: string }> {
    const { status, body: answer } = await api.post<{ id: string }>(path, body, { "Idempotency-Key": key });
    expect([status, answer]).toStrictEqual([201, answer]);
    return answer;
  }

  test("overview: what fails is seen at once, and what happens is followed", async () => {
    await made(`/v1/bookings/${bookingId}/payments`, { type: "card", token: "tok_visa" });
    await receiver.until(() => receiver.received.length > 0);
    const text = await operator.look("/");
    for (const part of ["ready", "obligations", "Requests", "Memory", OPERATOR]) expect(text).toContain(part);
    await operator.page.waitForFunction("/1\\s*failing/.test(document.body.textContent)");
    expect(operator.complaints).toStrictEqual([]);
  });

  test("search: from a word that a customer says to their booking", async () => {
    for (const word of ["ADA@example.com", HOSTILE]) {
      await operator.page.goto(service.operatorUrl);
      await operator.page.keyboard.press("/");
      await operator.page.keyboard.type(word);
      await Promise.all([operator.page.waitForNavigation(), operator.page.keyboard.press("Enter")]);
      expect(
        await operator.look(new URL(operator.page.url()).pathname + new URL(operator.page.url()).search),
      ).toContain(bookingId);
    }
    await Promise.all([operator.page.waitForNavigation(), operator.page.click("#found tbody a")]);
    expect(new URL(operator.page.url()).pathname).toBe(`/bookings/${bookingId}`);
    expect(await operator.look("/search?word=nobody")).toContain("Nothing has a word that begins like this.");
    expect(operator.complaints).toStrictEqual([]);
  });

  test("webhooks: from the overview to why it does not arrive, to its mending", async () => {
    await operator.look("/webhooks");
    expect(await operator.text()).toContain("the endpoint answered 500");
    await operator.follow(receiver.url);
    expect(await operator.look(`/webhooks/${endpointId}`)).toContain("failing");
    await Promise.all([operator.page.waitForNavigation(), operator.page.click("#attempts tbody a")]);
    const attempt = await operator.look(new URL(operator.page.url()).pathname);
    expect(attempt).toContain(DOWN);
    expect(attempt).toContain('"type": "payment.succeeded"');
    receiver.respond = respondWith(204);
    receiver.received.length = 0;
    // It waits for its next attempt, which would be in minutes.
    await operator.press("Send it once more");
    await receiver.until(() => receiver.received.length >= 2);
    expect(receiver.received.map(({ event }) => event.type)).toStrictEqual(["payment.succeeded", "booking.confirmed"]);
    await operator.look(`/webhooks/${endpointId}`);
    await operator.untilShown("Deliveries arrive.");
    await operator.page.evaluate(`document.querySelector("[name=since]").value = "2020-01-01T00:00:00"`);
    receiver.received.length = 0;
    await operator.confirm("Deliver all once more");
    await receiver.until(() => receiver.received.length === 2);
    expect(operator.complaints).toStrictEqual([]);
  });

  test("a paused endpoint is resumed, and gets what it is owed", async () => {
    receiver.respond = respondWith(410);
    await api.patch(`/v1/bookings/${bookingId}`, { reference: "R-1" });
    await operator.look(`/webhooks/${endpointId}`);
    await operator.untilShown("paused");
    receiver.respond = respondWith(204);
    receiver.received.length = 0;
    await operator.look(`/webhooks/${endpointId}`);
    await operator.press("Resume");
    await receiver.until(() => receiver.received.length === 1);
    await operator.untilShown("Deliveries arrive.");
  });

  test("exhausted deliveries are made once more, all at once", async () => {
    receiver.respond = ({ event }, response) => {
      response.writeHead(event.type === "booking.changed" ? 400 : 204).end();
    };
    await api.patch(`/v1/bookings/${bookingId}`, { reference: "R-2" });
    const advanced = await service.operator("POST", "/clock/advance", { seconds: 4 * 86_400 });
    expect(advanced.status).toBe(200);
    await operator.look(`/webhooks?status=exhausted`);
    receiver.respond = respondWith(204);
    receiver.received.length = 0;
    await operator.look(`/webhooks/${endpointId}`);
    await operator.press("Deliver what is exhausted");
    await receiver.until(() => receiver.received.length === 1);
    expect(receiver.received.map(({ event }) => event.type)).toStrictEqual(["booking.changed"]);
  });

  test("a booking: money that adds up, its timeline, what it was, and who did what", async () => {
    const map = await api.get<SeatMapBody>("/v1/flights/OP-1/seat-map");
    const economy = map.body.cabins.find(({ cabin }) => cabin === "economy");
    const seats = economy?.rows.flatMap((row) => row.seats);
    const seat = seats?.find(({ status, price }) => status === "available" && price === 0)?.number;
    expect((await api.patch(`/v1/bookings/${bookingId}`, { seats: [seat] })).status).toBe(200);
    const text = await operator.look(`/bookings/${bookingId}`);
    for (const part of [HOSTILE, "1,299.00", "Paid, by", "Booked in economy", "R-2"]) expect(text).toContain(part);
    expect(await operator.page.$$eval("table.seats td.own", (own) => own.map(({ title }) => title))).toStrictEqual([
      `${seat} passenger 1`,
    ]);
    expect(await operator.look(`/bookings/${bookingId}?at=0`)).toContain("pending");
    expect(await operator.look(`/streams?name=booking-${bookingId}`)).toContain("BookingConfirmed");
    await operator.page.keyboard.press("/");
    await operator.page.keyboard.type(bookingId);
    await Promise.all([operator.page.waitForNavigation(), operator.page.keyboard.press("Enter")]);
    expect(new URL(operator.page.url()).pathname).toBe(`/bookings/${bookingId}`);
    expect(operator.complaints).toStrictEqual([]);
  });

  test("a flight: its load, a broken seat, who is on board; a person over all accounts", async () => {
    expect(await operator.look("/flights/OP-1")).toContain("USD 1,299.00");
    await operator.page.type("[name=seat]", "12C");
    await operator.press("Block it");
    expect(await operator.text()).toContain("12C is blocked.");
    expect(await operator.look("/flights/OP-1/manifest")).toContain(HOSTILE);
    await operator.page.emulateMediaType("print");
    const shown = (part: string) =>
      operator.page.evaluate(`getComputedStyle(document.querySelector("${part}")).display`);
    expect([await shown("header"), await shown("thead")]).toStrictEqual(["none", "table-header-group"]);
    await operator.page.emulateMediaType("screen");
    expect(await operator.look("/persons?email=ada%40example.com")).toContain("booking, passenger 1");
    await operator.look(`/bookings/${bookingId}`);
    await operator.page.type("[name=text]", "rang up");
    await operator.press("Write it down");
    expect(operator.complaints).toStrictEqual([]);
    expect(await operator.text()).toContain(`Note: rang up, by operator ${OPERATOR}`);
  });

  test("reports: charts of what happened, and the flights that are next", async () => {
    const text = await operator.look("/reports");
    for (const part of ["USD 1,299.00 paid", "1 bookings made", "attempts succeeded", "OP-1"])
      expect(text.replaceAll(/\s+/g, " ")).toContain(part);
    await operator.look("/reports?from=2026-01-01&to=2026-12-31&by=month");
    expect(operator.complaints).toStrictEqual([]);
  });

  test("money: a transfer is matched, its refund settled; a document is decided", async () => {
    const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
    const { id } = await made("/v1/bookings", { flightId: "OP-1", cabin: "economy", passengers }, "second");
    const payment = await api.post<{ id: string; amount: number; method: { bankTransfer: { reference: string } } }>(
      `/v1/bookings/${id}/payments`,
      { type: "bank_transfer" },
      { "Idempotency-Key": "transfer" },
    );
    const { amount, method } = payment.body;
    expect(await operator.look("/money")).toContain(method.bankTransfer.reference);
    await operator.page.type("[name=reference]", method.bankTransfer.reference);
    await operator.page.type("[name=sum]", "9,05");
    await operator.press("Match it");
    expect(await operator.page.$eval("#wrong-sum", (wrong) => wrong.textContent)).toContain("such as 905.00");
    await operator.page.evaluate(`document.querySelector("[name=sum]").value = ""`);
    await operator.page.type("[name=sum]", String((amount - 700) / 100));
    await operator.press("Match it");
    expect(await operator.text()).toContain("7.00 still to come");
    await operator.press("Match it");
    expect(await operator.text()).toContain("partial");
    await operator.look(`/bookings/${id}`);
    await operator.press("Match it");
    expect(await operator.text()).toContain("it is paid");
    await operator.press("Match it", "body", 2);
    await operator.untilShown("7.00 applied");
    expect(await operator.look("/money")).toContain("No money is to be sent back.");
    await made(`/v1/payments/${payment.body.id}/refunds`, { amount: 1_000 }, "refund");
    expect(await operator.look(`/bookings/${id}`)).toContain("pending");
    await operator.confirm("It has arrived");
    expect(await operator.text()).toContain("The refund has arrived.");

    const unreadable = await sharp({ create: { width: 600, height: 400, channels: 3, background: "white" } })
      .png()
      .toBuffer();
    const file = new FormData();
    file.append("file", new Blob([new Uint8Array(unreadable)]), `"><script>alert(4)</script>.png`);
    const headers = { "x-api-key": apiKey };
    const uploaded = await fetch(`${service.baseUrl}/v1/bookings/${id}/documents`, {
      method: "POST",
      headers,
      body: file,
    });
    expect(uploaded.status).toBe(201);
    await operator.look("/documents");
    await operator.untilShown("operator");
    await operator.look(`/bookings/${id}`);
    await operator.follow("script>.png");
    await operator.page.waitForFunction("document.querySelector('img.scan').naturalWidth === 600");
    for (const part of ["nothing for certain", "Ada Lovelace", "has to be valid until"])
      expect(await operator.text()).toContain(part);
    await operator.page.keyboard.press("r");
    expect(await operator.page.evaluate("document.activeElement.name")).toBe("reason");
    await operator.page.keyboard.type("It is blank.");
    await Promise.all([operator.page.waitForNavigation(), operator.page.keyboard.press("Enter")]);
    expect(await operator.text()).toContain("The document is rejected.");
    await operator.look("/documents");
    expect(await operator.text()).toContain("It is blank.");
    await operator.follow("script>.png");
    await operator.page.select("[name=kind]", "passport");
    await operator.page.select("[name=passenger]", "0");
    await Promise.all([operator.page.waitForNavigation(), operator.page.keyboard.press("v")]);
    for (const part of ["The document is verified.", `decided by ${OPERATOR}`, "document of Ada Lovelace"])
      expect((await operator.text()).replaceAll(/\s+/g, " ")).toContain(part);
    expect(operator.complaints.splice(0)).toStrictEqual([REFUSED]);
  });

  test("a secret is replaced and shown once; settings show no secrets", async () => {
    await operator.look(`/webhooks/${endpointId}`);
    await operator.confirm("Replace the secret");
    const secret = /whsec_\S+/.exec(await operator.text())?.[0] ?? "";
    expect(secret).not.toBe("");
    await operator.follow("Back");
    expect(await operator.text()).not.toContain(secret);
    const settings = await operator.look("/system");
    expect(settings).toMatch(/RATE_LIMIT_PER_MINUTE\s+\d+/);
    expect(settings).toMatch(/OPERATOR_TOKEN\s/);
    expect(operator.complaints).toStrictEqual([]);
  });

  test("accounts: a credential is shown once, and the actor is the operator", async () => {
    await operator.look("/accounts");
    const account = await operator.look(`/accounts/${accountId}`);
    for (const part of ["open holds", "document bytes", "last used"]) expect(account).toContain(part);
    const { body: rows } = await service.operator("GET", "/credentials");
    const own = (rows as { data: { accountId: string; lastUsedAt: string | null }[] }).data.filter(
      (row) => row.accountId === accountId,
    );
    expect(account).toContain(own[0]?.lastUsedAt?.slice(0, 19).replace("T", " "));
    await operator.page.select("[name=kind]", "api-key");
    await operator.press("Create it");
    const newKey = /tbs_\w+/.exec(await operator.text())?.[0] ?? "";
    expect((await new ApiClient(service.baseUrl, { apiKey: newKey }).get("/v1/bookings")).status).toBe(200);
    await operator.page.reload();
    expect(await operator.text()).toContain(newKey);
    await operator.follow("Back");
    expect(await operator.text()).not.toContain(newKey);
    expect(await operator.text()).toContain(newKey.slice(0, "tbs_live_".length + 4));
    const { body } = await service.operator("GET", `/streams/account-${accountId}`);
    const actors = (body as readonly { metadata: { actor: unknown } }[]).map(({ metadata }) => metadata.actor);
    expect(actors.slice(2)).toStrictEqual([{ kind: "operator", id: OPERATOR }]);
    for (const path of ["/money", "/documents", "/system", "/streams"]) await operator.look(path);
    expect(operator.complaints).toStrictEqual([]);
  });

  test("system: a catalogue is previewed, then imported; a backup is made; the clock moves", async () => {
    const text = JSON.stringify(catalogueOf([{ id: "OP-9", departsIn: 60 }]));
    const catalogue = join(service.dataDir, "catalogue.json");
    writeFileSync(catalogue, text);
    await operator.look("/system");
    const chosen = await operator.page.waitForSelector("input[type=file]");
    await (chosen as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(catalogue);
    await operator.page.waitForFunction("document.getElementById('catalogue-text').value !== ''");
    await operator.press("Show what it would change");
    expect(await operator.text()).toMatch(/flights\s+1\s+0\s+0/);
    expect((await service.operator("GET", "/flights/OP-9")).status).toBe(404);
    await operator.press("Import it");
    expect(await operator.text()).toContain("flights: 1 added, 0 changed.");
    expect((await service.operator("GET", "/flights/OP-9")).status).toBe(200);
    await operator.page.type("#catalogue-text", "{ no JSON");
    await operator.press("Show what it would change");
    expect(await operator.text()).toContain("is no JSON");
    expect(await operator.page.evaluate("document.getElementById('catalogue-text').value")).toBe("{ no JSON");

    await operator.look("/system");
    const copy = `${service.dataDir}-copy`;
    await operator.page.type("[name=path]", copy);
    await operator.press("Back up");
    await operator.untilShown(`${copy}: `);
    expect(existsSync(join(copy, "log", "data.mdb"))).toBe(true);
    await operator.look("/system");
    await operator.page.type("[name=path]", copy);
    await operator.press("Back up");
    expect(await operator.text()).toContain("is not empty");
    rmSync(copy, { recursive: true });

    await operator.look("/system");
    await operator.page.type("[name=seconds]", "60");
    await operator.press("Move it forward");
    expect(await operator.text()).toContain("All that was due is done");
    // What was refused twice above, and nothing else.
    expect(operator.complaints.splice(0)).toStrictEqual([REFUSED, REFUSED]);
  });

  test("projections: a poison event is shown with its error, and skipped; a rebuild is followed to its end", async () => {
    await service.stop();
    await appendPoisonEventsTo(service.dataDir);
    service = await Service.start({
      env: { ...ENV, OPERATOR_PORT: new URL(service.operatorUrl).port },
      dataDir: service.dataDir,
    });
    expect(await operator.look("/")).toContain("stopped at an event: bookings");
    await operator.look("/projections");
    await operator.untilShown("bookings is stopped");
    const text = await operator.text();
    expect(text).toContain('"stream": "booking-bkg_poison"');
    await operator.confirm("Skip this event for good");
    expect(await operator.text()).toContain("bookings goes on.");
    await operator.press("Rebuild");
    await operator.page.waitForFunction("/events in \\d+/.test(document.body.textContent)");
  });

  test("everything is reached by the keyboard alone", async () => {
    await operator.look("/");
    await Promise.all([operator.page.waitForNavigation(), operator.page.keyboard.press("2")]);
    expect(new URL(operator.page.url()).pathname).toBe("/webhooks");
    await operator.page.keyboard.press("Tab");
    expect(await operator.page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
  });
});
