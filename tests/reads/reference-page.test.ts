import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { browserOrReason, type TestBrowser } from "../boarding-passes/kit/browser.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { WatchedBrowser } from "../support/watched-browser.ts";

const found = await browserOrReason();
const testInBrowser = typeof found === "string" ? test.skip : test;

let service: Service;
let browser: WatchedBrowser;
beforeAll(async () => {
  service = await Service.start();
  await importFlights(service, [{ id: "REF-1", departsIn: 60 }]);
});
afterAll(async () => {
  await service.discard();
  if (typeof found !== "string") found.discard();
});
beforeEach(async () => {
  if (typeof found === "string") return;
  browser = await WatchedBrowser.at(found as TestBrowser, service.baseUrl);
});
afterEach(() => browser?.close());

const open = async () => {
  await browser.page.setViewport({ width: 1280, height: 800 });
  await browser.page.goto(`${service.baseUrl}/docs`);
};
const run = <Value>(script: string) => browser.page.evaluate(script) as Promise<Value>;
const visible = (selector: string) =>
  run<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((each) => each.checkVisibility()).map((each) => each.textContent.trim())`,
  );

testInBrowser("can be read at any width, light and dark, and complains about nothing", async () => {
  expect(await browser.look("/docs")).toContain("Book passengers on a flight");
  expect(await browser.look("/docs/changelog")).toContain("getBookingSummary");
  expect(browser.complaints).toStrictEqual([]);
});

testInBrowser("is searched in everything; a key leads to the field, another to what was found", async () => {
  await open();
  await browser.page.keyboard.press("/");
  await browser.page.keyboard.type("refund amount");
  const listed = await visible("#results a span:first-child");
  expect(listed).toContain("Refund a payment, in full or in part");
  expect(listed).not.toContain("List destinations, newest first");
  await browser.page.keyboard.press("Enter");
  expect(await run<string>("location.hash")).not.toBe("");
  await browser.page.keyboard.press("/");
  await browser.page.keyboard.press("Escape");
  expect(await visible("#tree li li a span:last-child")).toContain("List destinations, newest first");
});

testInBrowser.each([
  ["rate limit", "#about-rate-limits"],
  ["test card", "#guide-payments"],
  ["CORS", "#guide-browsers"],
  ["pagination", "#guide-pages"],
  ["webhook signature", "#guide-webhooks"],
  ["cabin_sold_out", "#error-409-cabin_sold_out"],
])("%s finds its place first", async (words, hash) => {
  await open();
  await browser.page.type("#search", words);
  expect(await run<string>('document.querySelector("#results a").hash')).toBe(hash);
});

// What is far from the window is not laid out, and would be looked at by nobody here.
const LAID_OUT = `addEventListener("DOMContentLoaded", () => {
  const { sheet } = document.querySelector("style");
  sheet.insertRule("* { content-visibility: visible !important }", sheet.cssRules.length);
})`;

testInBrowser("has its title whole and breaks no name, at any width", async () => {
  await browser.page.evaluateOnNewDocument(LAID_OUT);
  for (const width of [390, 1280, 1440]) {
    await browser.page.setViewport({ width, height: 844 });
    await browser.page.goto(`${service.baseUrl}/docs`);
    const broken = await run<string[]>(`
      [...document.querySelectorAll(".home, :not(pre) > code:not(.long), td a")].flatMap((name) => {
        const box = name.closest("p, td, th, li, h3") ?? name.parentElement;
        const reaches = name.getBoundingClientRect().right - box.getBoundingClientRect().right;
        return name.checkVisibility() && (name.getClientRects().length > 1 || reaches > 1) ? [name.textContent] : [];
      })`);
    expect([width, broken]).toStrictEqual([width, []]);
  }
});

testInBrowser(
  "puts the address and the key that are entered into the samples, and keeps them for the tab",
  async () => {
    await open();
    const samples = () =>
      run<string[]>('[...document.querySelectorAll("#getFlight pre[data-language]")].map((each) => each.textContent)');
    const before = await samples();
    await browser.page.type("#address", "https://travel.example.com/");
    await browser.page.type("#key", "tbs_test_1");
    const put = before.map((text) =>
      text
        .replace(/\$BASE|\$?\{BASE\}/, "https://travel.example.com")
        .replace("$KEY", "tbs_test_1")
        .replace(/\bKEY\b/, '"tbs_test_1"'),
    );
    expect(put.join()).not.toMatch(/BASE|KEY/);
    expect(await samples()).toStrictEqual(put);
    await open();
    expect(await samples()).toStrictEqual(put);
    // What would end a quotation in a shell is no address and no key.
    for (const field of ["#address", "#key"]) await browser.page.type(field, '"; echo');
    expect(await samples()).toStrictEqual(before);
  },
);

testInBrowser("fills a request with a flight that can be booked and seats that are free", async () => {
  const { apiKey } = await service.newApiKey();
  await open();
  await browser.page.type("#key", apiKey);
  await run('document.querySelector("#createBooking .trial").open = true');
  await browser.page.waitForFunction(
    `/"flightId": "REF-1"/.test(document.querySelector('#createBooking [name="body"]')?.value)`,
  );
  await run('document.querySelector("#createBooking .trial form button").click()');
  await browser.page.waitForFunction('/^.{2,}/.test(document.querySelector("#createBooking .trial pre").textContent)');
  expect(await run<string>('document.querySelector("#createBooking .trial pre").textContent')).toMatch(/^201 Created/);
});

testInBrowser("shows one language at a time, remembers it, and copies what is shown", async () => {
  await open();
  expect(
    new Set(
      await run<string[]>(
        '[...document.querySelectorAll("pre[data-language]")].filter((each) => each.checkVisibility()).map((each) => each.dataset.language)',
      ),
    ),
  ).toStrictEqual(new Set(["curl"]));
  await run(
    '[...document.querySelectorAll("#createBooking .languages button")].find((each) => each.textContent === "Python").click()',
  );
  await open();
  const [sample = ""] = await visible("#createBooking pre[data-language]");
  expect(sample).toContain("requests.post(");
  // A browser without a screen has no clipboard that can be read.
  await run("void (navigator.clipboard.writeText = async (text) => void (globalThis.copied = text))");
  await run('document.querySelector("#createBooking .copy").click()');
  await browser.untilShown("Copied");
  expect(await run<string>("globalThis.copied")).toBe(sample);
});

testInBrowser("shows in the contents where one is, from the top on", async () => {
  const here = () =>
    run<(string | null)[]>('[...document.querySelectorAll("#contents [aria-current]")].map((each) => each.hash)');
  await open();
  await run("new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))");
  expect([await here(), await run("document.querySelector('#contents').scrollTop")]).toStrictEqual([[], 0]);
  await run('document.querySelector("#createBooking").scrollIntoView()');
  await browser.page.waitForFunction("document.querySelector('#contents [aria-current]')?.hash === '#createBooking'");
});

testInBrowser("sends requests to this service with the key that is put in, and shows the answers", async () => {
  const { apiKey } = await service.newApiKey();
  await open();
  const send = async (operation: string, fields: Readonly<Record<string, string>>) => {
    const article = `#${operation}`;
    await run(`document.querySelector("${article} .trial").open = true`);
    for (const [name, value] of Object.entries(fields)) {
      await run(`document.querySelector('${article} [name="${name}"]').value = ${JSON.stringify(value)}`);
    }
    await run(`document.querySelector("${article} .trial pre").textContent = ""`);
    await run(`document.querySelector("${article} .trial form button").click()`);
    await browser.page.waitForFunction(`/^.{2,}/.test(document.querySelector("${article} .trial pre").textContent)`);
    return run<string>(`document.querySelector("${article} .trial pre").textContent`);
  };
  expect(await send("getFlight", { id: "REF-1" })).toBe("Put an API key into the field at the top of the page first.");
  await browser.page.type("#key", apiKey);
  await browser.page.keyboard.press("Tab");
  expect(await send("getFlight", { id: "REF-1" })).toMatch(/^200 OK\n[\s\S]*\n\n\{\n {2}"id": "REF-1",/);
  const body = JSON.stringify({
    flightId: "REF-1",
    cabin: "economy",
    passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
  });
  const booked = await send("createBooking", { body });
  expect(booked).toMatch(/^201 Created\n/);
  const id = /"id": "(bkg_\w+)"/.exec(booked)?.[1] ?? "";
  const paid = await send("createPayment", { id, body: '{"type":"card","token":"tok_visa"}' });
  expect(paid).toMatch(/^201 Created\n[\s\S]*"status": "succeeded"/);
  // The same field, and so the same key, sends the same payment.
  expect(await send("createPayment", { id, body: '{"type":"card","token":"tok_visa"}' })).toContain(
    "idempotent-replayed: true",
  );
  expect(browser.complaints).toStrictEqual([]);
});

test("has files beside it, to download without a credential", async () => {
  const shown = async (name: string) => {
    const { status, headers } = await fetch(`${service.baseUrl}/docs/${name}`);
    return [status, headers.get("content-type"), headers.get("content-disposition")];
  };
  const [yaml, json] = ["application/yaml; charset=utf-8", "application/json; charset=utf-8"];
  const collection = "travel-booking.postman_collection.json";
  expect(await shown("openapi.yaml")).toStrictEqual([200, yaml, 'attachment; filename="openapi.yaml"']);
  expect(await shown("postman.json")).toStrictEqual([200, json, `attachment; filename="${collection}"`]);
});
