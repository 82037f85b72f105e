import { spawnSync } from "node:child_process";
import { SourceTextModule } from "node:vm";
import { describe, expect, test } from "@jest/globals";
import {
  DEFAULT_LIMIT,
  MAX_HEAD_BYTES,
  MAX_IDEMPOTENCY_KEY,
  MAX_LIMIT,
  type Reference,
  type Schema,
} from "@travel-booking/api-contract";
import { openApiDocument } from "@travel-booking/api-contract/openapi";
import { HOLD_DURATION, MAX_DOCUMENT_BYTES, MAX_SEATS_PER_HOLD } from "@travel-booking/domain";
import { html } from "@travel-booking/http/html";
import { readSettings } from "@travel-booking/runtime";
import { boundsOf, typeOf } from "../src/openapi/fields.ts";
import { inline, markdown } from "../src/openapi/html.ts";
import { referencePage } from "../src/openapi/reference-page.ts";
import { samplesOf } from "../src/openapi/samples.ts";

const document = openApiDocument({ rateLimited: true });
const page = referencePage(document);

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, part]) => part);
const all = (pattern: RegExp) => found(page, pattern);

/** An operation's or a guide's part of the page. */
const article = (id: string) =>
  new RegExp(`<article(?: class="\\w+")? id="${id}"[\\s\\S]*?</article>`).exec(page)?.[0] ?? "";

describe("the page", () => {
  test("leads nowhere but to itself and the description", () => {
    const ids = new Set(all(/ id="([^"]+)"/g));
    const targets = all(/ href="([^"]+)"/g);
    expect(targets.filter((target) => !target?.startsWith("#"))).toStrictEqual([
      "data:,",
      "/docs/changelog",
      "/docs/changelog",
      "/v1/openapi.json",
      "/docs/openapi.yaml",
      "/docs/postman.json",
      "https://www.standardwebhooks.com",
      "/docs/changelog",
    ]);
    const inside = targets.filter((target) => target?.startsWith("#"));
    expect(inside.filter((target) => !ids.has(target?.slice(1)))).toStrictEqual([]);
  });

  test("has no id twice", () => {
    const ids = all(/ id="([^"]+)"/g);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toStrictEqual([]);
  });

  test("closes every element it opens", () => {
    const open: string[] = [];
    for (const [, closing, name = "", attributes = ""] of page.matchAll(/<(\/?)([a-z0-9]+)((?:\s[^<>]*)?)>/g)) {
      if (["meta", "link", "wbr", "input"].includes(name) || attributes.endsWith("/")) continue;
      if (closing === "") open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toStrictEqual([]);
  });

  test("goes down the levels of its headings one by one", () => {
    const levels = all(/<h([1-6])[ >]/g).map(Number);
    expect(levels[0]).toBe(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1)).toStrictEqual([]);
  });

  test("tells who can't see it what its tables are and whose headers they have", () => {
    expect(all(/<table class="\w+">\s*(<caption>)/g)).toHaveLength(all(/(<table)/g).length);
    expect(all(/<th(?! scope=)([^e>]*)>/g)).toStrictEqual([]);
    expect(page).toContain('<html lang="en">');
  });

  test("shows each operation as a command, with places for the address and the key", () => {
    expect(page).toContain('curl &quot;<var data-of="address">$BASE</var>/v1/bookings/$ID/payments&quot;');
    const text = page.replaceAll(/<\/?var[^>]*>/g, "");
    expect(text).toContain(
      [
        "curl &quot;$BASE/v1/bookings/$ID/payments&quot; \\",
        "  -H &quot;x-api-key: $KEY&quot; \\",
        "  -H &quot;Idempotency-Key: pay-$ID-1&quot; \\",
        "  -H &quot;Content-Type: application/json&quot; \\",
        "  -d &#39;{",
      ].join("\n"),
    );
    expect(text).toContain("curl -X DELETE &quot;$BASE/v1/passengers/$ID&quot;");
    expect(text).toContain("  -F file=@passport.pdf");
    expect(text).toContain("  -d grant_type=client_credentials");
  });

  test("shows what the entries of a list are, and leads to them", () => {
    expect(article("listBookings")).toContain(
      'object of <code>data</code>: array of <a href="#schema-Booking">Booking</a>, <code>page</code>: <a href="#schema-PageInfo">PageInfo</a>',
    );
  });

  test("leads from each operation to the errors of its own, and to those of all", () => {
    const codes = found(article("createSeatHold"), /href="#(error-[^"]+)"/g);
    expect(codes).toContain("error-409-seat_taken");
    expect(codes).toContain("error-422-key_reused");
    expect(codes).not.toContain("error-401-invalid_api_key");
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const leadingNowhere = operations.filter(({ operationId }) => !article(operationId).includes('href="#errors"'));
    expect(leadingNowhere).toStrictEqual([]);
  });

  test("tells of limits what is enforced", () => {
    const settings = readSettings({});
    const number = (value: number) => value.toLocaleString("en-US");
    const bounds = [
      `${settings.rateLimitPerMinute} a minute`,
      `1 to ${MAX_LIMIT}, ${DEFAULT_LIMIT} unless told`,
      `1 to ${MAX_IDEMPOTENCY_KEY} characters`,
      `1 to ${MAX_SEATS_PER_HOLD} of one cabin, for ${HOLD_DURATION / 60_000} minutes`,
      `${settings.quotaUnpaidSeatsPercent} % of a flight`,
      `<td>${number(settings.quotaOpenHolds)}</td>`,
      `<td>${number(settings.quotaPassengers)}</td>`,
      `${number(settings.quotaDocuments)} files, ${number(settings.quotaDocumentsMb)} MB`,
      `${number(MAX_DOCUMENT_BYTES)} bytes`,
      `${number(MAX_HEAD_BYTES)} bytes`,
    ];
    const guide = article("guide-limits");
    expect(bounds.filter((bound) => !guide.includes(bound))).toStrictEqual([]);
  });

  test("is the same every time", () => {
    expect(referencePage(document)).toBe(page);
  });
});

describe("markup", () => {
  test("has everything escaped that is put into it", () => {
    expect(html`<p title="${'"'}">${["<b>", "&", "'"]}${undefined}${7}</p>`.text).toBe(
      '<p title="&quot;">&lt;b&gt;&amp;&#39;7</p>',
    );
    expect(inline("a `<b>` **c** d").text).toBe("a <code>&lt;b&gt;</code> <strong>c</strong> d");
  });

  test("has headings and paragraphs", () => {
    expect(markdown("One\nline.\n\n## Two words\n\nMore.", 2).text).toBe(
      '<p>One line.</p><h2 id="about-two-words">Two words</h2><p>More.</p>',
    );
  });
});

describe("a schema in a few words", () => {
  test.each<[Schema | Reference, string, string]>([
    [{ type: "string", maxLength: 64 }, "string", "at most 64 characters"],
    [{ type: "string", minLength: 1, maxLength: 9 }, "string", "1 to 9 characters"],
    [{ type: "string", format: "date", maxLength: 10 }, "string, date", ""],
    [{ type: "integer", format: "int64", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "integer", "at least 0"],
    [{ type: "integer", minimum: 1, maximum: 100, default: 20 }, "integer", "1 to 100; default 20"],
    [{ enum: ["a", "b"] }, "<code>a</code>, <code>b</code>", ""],
    [{ const: "card" }, "<code>&quot;card&quot;</code>", ""],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null", ""],
    [
      { type: "array", items: { type: "string" }, maxItems: 9, uniqueItems: true },
      "array of string",
      "at most 9 entries; all different",
    ],
    [{ $ref: "#/components/schemas/Fare" }, '<a href="#schema-Fare">Fare</a>', ""],
    [
      { type: "object", properties: { id: { type: "string" }, seats: { type: "array", items: { type: "string" } } } },
      "object of <code>id</code>: string, <code>seats</code>: array of string",
      "",
    ],
  ])("%j", (schema, type, bounds) => {
    expect([typeOf(schema).text, boundsOf(schema)]).toStrictEqual([type, bounds]);
  });
});

describe("samples", () => {
  const samples = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => samplesOf(document, { method, path, operation })),
  );
  const of = (wanted: string) => samples.filter(({ language }) => language === wanted).map(({ text }) => text);

  test("are the same request in three languages", () => {
    expect(of("curl")).toHaveLength(of("Node").length);
    expect(of("curl")).toHaveLength(of("Python").length);
    const id = of("curl").findIndex((text) => text.includes("/v1/bookings/$ID/payments"));
    expect(of("Node")[id]?.split("\n").slice(0, 6)).toStrictEqual([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the sample.
      "const response = await fetch(`${BASE}/v1/bookings/${ID}/payments`, {",
      '  method: "POST",',
      "  headers: {",
      '    "x-api-key": KEY,',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: likewise.
      '    "Idempotency-Key": `pay-${ID}-1`,',
      '    "Content-Type": "application/json",',
    ]);
    expect(of("Python")[id]?.split("\n").slice(0, 5)).toStrictEqual([
      "response = requests.post(",
      '    f"{BASE}/v1/bookings/{ID}/payments",',
      "    headers={",
      '        "x-api-key": KEY,',
      '        "Idempotency-Key": f"pay-{ID}-1",',
    ]);
  });

  test("for Node are JavaScript", () => {
    for (const text of of("Node")) expect(new SourceTextModule(text).status).toBe("unlinked");
  });

  test("for Python are Python", () => {
    const { status, stderr } = spawnSync(
      "python3",
      ["-c", "import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)"],
      {
        input: JSON.stringify(of("Python")),
        encoding: "utf8",
      },
    );
    // Null: there is no Python here.
    expect([
      [0, ""],
      [null, null],
    ]).toContainEqual([status, stderr]);
  });
});
