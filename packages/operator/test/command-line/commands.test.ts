import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { capturedRun } from "./captured-run.ts";
import { FakeOperatorService } from "./fake-operator-service.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "operator-cli-"));
const catalogueFile = path.join(folder, "catalogue.json");
const shipFile = path.join(folder, "ship.json");
const catalogue = { destinations: [], flights: [] };

// With a byte order mark, as some editors begin a file.
beforeAll(() => {
  fs.writeFileSync(catalogueFile, `\uFEFF${JSON.stringify(catalogue)}`);
  fs.writeFileSync(shipFile, '{ "cabins": [] }');
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

let service: FakeOperatorService;
let url: string;

beforeEach(async () => {
  service = new FakeOperatorService();
  url = await service.start();
});
afterEach(() => service.stop());

const cli = (line: readonly string[], terminal = false) =>
  capturedRun(line, { env: { OPERATOR_URL: url, OPERATOR_TOKEN: "s3cret" }, terminal });

const account = { id: "acc_1", name: "Orbit", status: "active" };
const transfer = { id: "t1", reference: "TB-1", amount: 500, status: "partial" };
const SHOWN = {
  id: "bkg_1",
  booking: { bookingId: "bkg_1", passengers: [{ name: "Ada" }] },
  timeline: [
    {
      revision: 3,
      type: "BookingChanged",
      at: "2026-11-01T00:00:00.000Z",
      actor: { kind: "credential", id: "crd_1" },
      data: { reference: "R", seats: ["2A", "2B"] },
      changes: {
        reference: { from: null, to: "R" },
        seats: { from: ["1A", "1B"], to: ["2A", "2B"] },
        creditApplied: { from: null, to: 0 },
      },
    },
  ],
};
const endpoint = { id: "whe_1", url: "https://example.com/", events: ["booking.changed"], status: "active" };
const kept = { kind: "bookings", held: 1, next: [{ id: "bkg_1", waits: true }] };
const plan = { flightId: "F", revision: 2, webhooks: 0 };
const swept = { id: "dis_1", status: "running", followed: 1 };
const case1 = { id: "dcs_1", bookingId: "bkg_1", outcome: "refunded" };
const projection = { name: "bookings", state: "live", position: 7, lag: 0, error: null };

/** Command line, the request it must become, the answer, and what `--json` prints. */
const CASES: readonly [line: string[], request: [string, string, unknown?], answer: unknown, printed?: unknown][] = [
  [
    ["loyalty", "adjust", "--account", "acc_1", "--points", "-500", "--reason", "too many"],
    ["POST", "/operator/loyalty/adjustments", { accountId: "acc_1", points: -500, reason: "too many" }],
    { id: "ltx_1", type: "adjust", points: -500, balanceAfter: 0 },
  ],
  [
    ["loyalty", "adjust", "--account=acc_1", "--points=700", "--reason=a gift"],
    ["POST", "/operator/loyalty/adjustments", { accountId: "acc_1", points: 700, reason: "a gift" }],
    { id: "ltx_2", type: "adjust", points: 700, balanceAfter: 700 },
  ],
  [
    ["flight", "block", "F", "22A", "--reason", "armrest"],
    ["POST", "/operator/flights/F/block", { seat: "22A", reason: "armrest" }],
    { id: "F", seatMap: [] },
    { id: "F" },
  ],
  [["flight", "unblock", "F", "22A"], ["POST", "/operator/flights/F/unblock", { seat: "22A" }], { id: "F" }],
  [
    ["flight", "fare", "F", "economy", "905.00"],
    ["POST", "/operator/flights/F/fare", { cabin: "economy", sum: "905.00" }],
    { id: "F" },
  ],
  [["flight", "cancel", "F", "--policy=refund"], ["POST", "/operator/flights/F/cancel", { policy: "refund" }], plan],
  [
    ["flight", "cancel", "F", "--run", "2", "--reason", "no drive"],
    ["POST", "/operator/flights/F/cancel", { run: 2, reason: "no drive" }],
    { ...swept, cases: [case1] },
    swept,
  ],
  [["flight", "close-sales", "F"], ["POST", "/operator/flights/F/close-sales", {}], plan],
  [["flight", "open-sales", "F", "--run=0"], ["POST", "/operator/flights/F/open-sales", { run: 0 }], plan],
  [
    ["flight", "retime", "F", "--departs", "2027-03-01T09:00:00Z", "--duration-days=0.5", "--run=0"],
    ["POST", "/operator/flights/F/retime", { departsAt: "2027-03-01T09:00:00Z", durationDays: 0.5, run: 0 }],
    plan,
  ],
  [
    ["flight", "swap", "F", shipFile, "--run=0", "--reason=smaller"],
    ["POST", "/operator/flights/F/swap", { cabins: [], run: 0, reason: "smaller" }],
    plan,
  ],
  [["flight", "reinstate", "F", "--run=1"], ["POST", "/operator/flights/F/reinstate", { run: 1 }], plan],
  [
    ["flight", "cancel", "F", "--policy", "move", "--into", "F2,F3"],
    ["POST", "/operator/flights/F/cancel", { policy: "move", into: ["F2", "F3"] }],
    plan,
  ],
  [
    ["disruption", "settle", "dcs_1", "--rebook", "F2", "--reason", "by telephone"],
    ["POST", "/operator/cases/dcs_1/settle", { answer: "rebook", flightId: "F2", reason: "by telephone" }],
    { id: "dcs_1", outcome: "rebooked" },
  ],
  [
    ["disruption", "settle", "dcs_1", "--accept"],
    ["POST", "/operator/cases/dcs_1/settle", { answer: "accept" }],
    { id: "dcs_1", outcome: "accepted" },
  ],
  [
    ["disruption", "settle", "dcs_1", "--downgrade=economy"],
    ["POST", "/operator/cases/dcs_1/settle", { answer: "downgrade", cabin: "economy" }],
    { id: "dcs_1", outcome: "accepted" },
  ],
  [["disruption", "list", "--status", "paused"], ["GET", "/operator/disruptions"], { data: [swept] }, []],
  [["disruption", "show", "dis_1"], ["GET", "/operator/disruptions/dis_1"], { ...swept, cases: [case1] }],
  [["disruption", "pause", "dis_1"], ["POST", "/operator/disruptions/dis_1/pause"], { ...swept, cases: [] }, swept],
  [["disruption", "resume", "dis_1"], ["POST", "/operator/disruptions/dis_1/resume"], swept],
  [["disruption", "retry", "dis_1"], ["POST", "/operator/disruptions/dis_1/resume"], swept],
  [["disruption", "verify", "dis_1"], ["GET", "/operator/disruptions/dis_1/verify"], { ...swept, differences: [] }],
  [["account", "create", "--name", "Orbit"], ["POST", "/operator/accounts", { name: "Orbit" }], account],
  [["account", "list"], ["GET", "/operator/accounts"], { data: [account] }, [account]],
  [["account", "suspend", "acc_1"], ["POST", "/operator/accounts/acc_1/suspend"], account],
  [["account", "resume", "acc_1"], ["POST", "/operator/accounts/acc_1/resume"], account],
  [
    ["credential", "create", "--account", "acc_1", "--kind", "api-key"],
    ["POST", "/operator/credentials", { accountId: "acc_1", kind: "api-key" }],
    { id: "crd_1", apiKey: "key" },
  ],
  [
    [
      "credential",
      "create",
      "--kind=oauth-client",
      "--account=acc_1",
      "--scopes",
      "flights:read  bookings:read",
      "--name",
      "app",
    ],
    [
      "POST",
      "/operator/credentials",
      { accountId: "acc_1", kind: "oauth-client", scopes: ["flights:read", "bookings:read"], name: "app" },
    ],
    { id: "crd_2", clientId: "c", clientSecret: "s" },
  ],
  [["account", "erase", "acc_1"], ["POST", "/operator/accounts/acc_1/erase"], { id: "acc_1", kind: "account" }],
  [["passenger", "erase", "psg_1"], ["POST", "/operator/passengers/psg_1/erase"], { id: "psg_1", kind: "passenger" }],
  [
    ["booking", "erase", "bkg_1", "--passenger", "0"],
    ["POST", "/operator/bookings/bkg_1/erase", { passenger: 0 }],
    { id: "bkg_1", kind: "booking" },
  ],
  [["person", "find", "a@b.c"], ["GET", "/operator/persons?email=a%40b.c"], { data: [] }, []],
  [
    ["booking", "erase", "bkg_1", "--documents"],
    ["POST", "/operator/bookings/bkg_1/erase", { documents: true }],
    { id: "bkg_1", kind: "booking" },
  ],
  [["person", "erase", "a@b.c"], ["POST", "/operator/persons/erase", { email: "a@b.c" }], { data: [] }, []],
  [["booking", "erase", "bkg_1"], ["POST", "/operator/bookings/bkg_1/erase"], { id: "bkg_1", kind: "booking" }],
  [["privacy", "report"], ["GET", "/operator/privacy"], { data: [kept] }, [kept]],
  [["credential", "list"], ["GET", "/operator/credentials"], { data: [] }, []],
  [["credential", "revoke", "crd_1"], ["DELETE", "/operator/credentials/crd_1"], { id: "crd_1", status: "revoked" }],
  [
    ["catalogue", "import", catalogueFile],
    ["POST", "/operator/catalogue", catalogue],
    { destinations: { added: 0, changed: 0, unchanged: 0 }, flights: { added: 0, changed: 0, unchanged: 0 } },
  ],
  [
    ["transfer", "receive", "--reference", "TB-1", "--amount", "500"],
    ["POST", "/operator/transfers", { reference: "TB-1", amount: 500 }],
    { data: [transfer] },
    [transfer],
  ],
  [
    ["transfer", "receive", "--reference", "TB-1", "--sum", "905.00"],
    ["POST", "/operator/transfers", { reference: "TB-1", sum: "905.00" }],
    { data: [transfer] },
    [transfer],
  ],
  [
    ["transfer", "preview", "--reference", "TB-1", "--sum", "905.00"],
    ["POST", "/operator/transfers/preview", { reference: "TB-1", sum: "905.00" }],
    { names: 1, applied: 90_500 },
  ],
  [
    ["transfer", "receive", "--reference", "TB-1", "--amount", "500", "--currency", "EUR", "--entry", "e1"],
    ["POST", "/operator/transfers", { reference: "TB-1", amount: 500, currency: "EUR", entryId: "e1" }],
    { data: [transfer] },
    [transfer],
  ],
  [["document", "list"], ["GET", "/operator/documents"], { data: [] }, []],
  [["document", "list", "--rejected"], ["GET", "/operator/documents/rejected"], { data: [] }, []],
  [["webhook", "endpoints"], ["GET", "/operator/webhook-endpoints"], { data: [endpoint] }, [endpoint]],
  [["webhook", "deliveries"], ["GET", "/operator/webhook-deliveries"], { data: [] }, []],
  [
    ["webhook", "deliveries", "--endpoint", "whe/1"],
    ["GET", "/operator/webhook-endpoints/whe%2F1/deliveries"],
    { data: [] },
    [],
  ],
  [["webhook", "delete", "whe_1"], ["DELETE", "/operator/webhook-endpoints/whe_1"], { id: "whe_1", status: "deleted" }],
  [["webhook", "resume", "whe_1"], ["POST", "/operator/webhook-endpoints/whe_1/resume"], endpoint],
  [
    ["webhook", "resend", "dlv_1"],
    ["POST", "/operator/webhook-deliveries/dlv_1/resend"],
    { id: "dlv_1", endpointId: "whe_1", eventId: "evt_1" },
  ],
  [
    ["webhook", "replay-exhausted", "whe_1"],
    ["POST", "/operator/webhook-endpoints/whe_1/replay-exhausted"],
    { endpointId: "whe_1", events: 2 },
  ],
  [["delivery", "list", "--exhausted"], ["GET", "/operator/webhook-deliveries?status=exhausted"], { data: [] }, []],
  [
    ["delivery", "list", "--endpoint", "whe_1", "--status", "failed", "--booking", "bkg_1"],
    ["GET", "/operator/webhook-endpoints/whe_1/deliveries?status=failed&bookingId=bkg_1"],
    { data: [] },
    [],
  ],
  [["delivery", "show", "dlv_1"], ["GET", "/operator/webhook-deliveries/dlv_1"], { id: "dlv_1" }],
  [["booking", "show", "bkg_1"], ["GET", "/operator/bookings/bkg_1"], SHOWN],
  [["booking", "show", "bkg_1", "--at", "0"], ["GET", "/operator/bookings/bkg_1?at=0"], SHOWN],
  [["booking", "show", "bkg_1", "--before", "50"], ["GET", "/operator/bookings/bkg_1?before=50"], SHOWN],
  [["booking", "cancel", "bkg_1"], ["POST", "/operator/bookings/bkg_1/cancel", {}], { id: "bkg_1" }],
  [
    ["booking", "cancel", "bkg_1", "--reason", "ill"],
    ["POST", "/operator/bookings/bkg_1/cancel", { reason: "ill" }],
    { id: "bkg_1" },
  ],
  [["booking", "refund", "bkg_1"], ["POST", "/operator/bookings/bkg_1/refunds", {}], { id: "rfd_1" }],
  [
    ["booking", "refund", "bkg_1", "--payment=pay_1", "--sum", "5.00", "--reason=late"],
    ["POST", "/operator/bookings/bkg_1/refunds", { paymentId: "pay_1", sum: "5.00", reason: "late" }],
    { id: "rfd_1" },
  ],
  [
    ["booking", "reseat", "bkg_1", "22A", "22B", "--reason", "broken"],
    ["POST", "/operator/bookings/bkg_1/seats", { seats: ["22A", "22B"], reason: "broken" }],
    { id: "bkg_1" },
  ],
  [
    ["booking", "note", "bkg_1", "she rang up"],
    ["POST", "/operator/bookings/bkg_1/notes", { text: "she rang up" }],
    { id: "bkg_1", status: "noted" },
  ],
  [["summary"], ["GET", "/operator/summary"], { missing: [] }],
  [
    ["webhook", "replay", "--endpoint", "whe_1", "--since", "2026-11-21T12:00:00Z"],
    ["POST", "/operator/webhook-endpoints/whe_1/replay", { since: "2026-11-21T12:00:00.000Z" }],
    { endpointId: "whe_1", since: "2026-11-21T12:00:00.000Z" },
  ],
  [["transfer", "list"], ["GET", "/operator/transfers"], { data: [transfer] }, [transfer]],
  [["transfer", "returned", "a/b"], ["POST", "/operator/transfers/a%2Fb/returned"], transfer],
  [
    ["transfer", "reverse", "a/b", "--reason", "mistyped"],
    ["POST", "/operator/transfers/a%2Fb/reverse", { reason: "mistyped" }],
    transfer,
  ],
  [
    ["transfer", "reverse", "a", "--reason", "mistyped", "--cancel-booking"],
    ["POST", "/operator/transfers/a/reverse", { reason: "mistyped", cancelBooking: true }],
    transfer,
  ],
  [["refund", "list"], ["GET", "/operator/refunds"], { data: [] }, []],
  [["refund", "list", "--disruption=dis_1"], ["GET", "/operator/refunds?disruption=dis_1"], { data: [] }, []],
  [["refund", "retry", "rfd/1"], ["POST", "/operator/refunds/rfd%2F1/retry"], { id: "rfd/1", status: "pending" }],
  [["dispute", "list"], ["GET", "/operator/disputes"], { data: [] }, []],
  [["refund", "settle", "rfd_1"], ["POST", "/operator/refunds/rfd_1/settle"], { id: "rfd_1", status: "succeeded" }],
  [["clock", "show"], ["GET", "/operator/clock"], { now: "2026-11-01T00:00:00.000Z", offsetSeconds: 0 }],
  [
    ["clock", "advance", "20m"],
    ["POST", "/operator/clock/advance", { seconds: 1200 }],
    { now: "2026-11-01T00:20:00.000Z", offsetSeconds: 1200 },
  ],
  [
    ["clock", "advance", "2d"],
    ["POST", "/operator/clock/advance", { seconds: 172_800 }],
    { now: "x", offsetSeconds: 1 },
  ],
  [
    ["backup", path.join(folder, "copy")],
    ["POST", "/operator/backup", { path: path.join(folder, "copy") }],
    { path: path.join(folder, "copy"), bytes: 4096 },
  ],
  [["projection", "list"], ["GET", "/operator/projections"], { data: [projection] }, [projection]],
  [["projection", "retry", "bookings"], ["POST", "/operator/projections/bookings/retry"], projection],
  [["projection", "skip", "bookings"], ["POST", "/operator/projections/bookings/skip"], projection],
];

describe("each command", () => {
  test.each(CASES)(
    "%j sends its request and prints one JSON value",
    async (line, [method, at, body], json, printed = json) => {
      service.on(`${method} ${at}`, { json });
      const { exitCode, stdout, stderr } = await cli([...line, "--json"]);
      expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: "" });
      expect(JSON.parse(stdout)).toStrictEqual(printed);
      expect(service.seen).toStrictEqual([{ method, path: at, authorization: "Bearer s3cret", body }]);
    },
  );
});

describe("for people", () => {
  test("a list is a table", async () => {
    service.on("GET /operator/projections", {
      json: { data: [projection, { ...projection, name: "flights", error: { message: "no" } }] },
    });
    expect((await cli(["projection", "list"])).stdout).toBe(
      [
        "name      state  position  lag  error",
        "bookings  live   7         0    -",
        'flights   live   7         0    {"message":"no"}',
        "",
      ].join("\n"),
    );
  });

  const onTerminal = async (columns: number, ...line: string[]) => {
    const env = { OPERATOR_URL: url, OPERATOR_TOKEN: "s3cret", NO_COLOR: "1" };
    return (await capturedRun(line, { env, terminal: true, columns })).stdout.split("\n");
  };
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  const refunds = [
    {
      id: "rfd_1",
      status: "failed",
      reason: "a long reason that goes on and on",
      createdAt: ago(5_400_000),
      amount: 1,
    },
    { id: "rfd_2", status: "pending", reason: "short", createdAt: ago(-90_000), amount: 20_000 },
  ];

  test("a column is as wide as what is seen of it, in every script", async () => {
    const rows = [
      { passengers: "李小龍", status: "confirmed" },
      { passengers: "Ada", status: "pending" },
    ];
    service.on("GET /operator/bookings?word=x", { json: { data: rows, isAll: true } });
    expect((await cli(["booking", "find", "x"])).stdout.split("\n")).toStrictEqual([
      "passengers  status",
      "李小龍      confirmed",
      "Ada         pending",
      "",
    ]);
  });

  test("a table fits the terminal: what is long is cut, what is last is left out and named; with --wide it is all there", async () => {
    service.on("GET /operator/refunds", { json: { data: refunds } });
    expect(await onTerminal(60, "refund", "list")).toStrictEqual([
      "status   amount  id     reason                     createdAt",
      "failed   1       rfd_1  a long reason that goes …  1 h ago",
      "pending  20000   rfd_2  short                      in 1 min",
      "",
    ]);
    expect(await onTerminal(40, "refund", "list")).toStrictEqual([
      "status   amount  id     reason",
      "failed   1       rfd_1  a long reason t…",
      "pending  20000   rfd_2  short",
      "--wide also shows createdAt",
      "",
    ]);
    expect((await onTerminal(20, "refund", "list", "--wide"))[1]).toBe(
      "rfd_1  failed   a long reason that goes on and on  1 h ago    1",
    );
  });

  test("an id is shown whole or not at all, and what tells more stands before it", async () => {
    const entry = { id: `ret_${"0".repeat(70)}`, reference: "RF18", amount: 905, currency: "USD", status: "to_return" };
    service.on("GET /operator/transfers", { json: { data: [entry] } });
    expect(await onTerminal(80, "transfer", "list")).toStrictEqual([
      "status     amount  currency  reference",
      "to_return  905     USD       RF18",
      "--wide also shows id",
      "",
    ]);
  });

  test("a status has its colour on a terminal", async () => {
    service.on("GET /operator/refunds", { json: { data: [{ id: "rfd_1", status: "failed" }] } });
    expect((await cli(["refund", "list"], true)).stdout).toBe(
      "\u001b[1mstatus\u001b[22m  \u001b[1mid\u001b[22m\n\u001b[31mfailed\u001b[39m  rfd_1\n",
    );
  });

  test.each([
    [["--status", "failed"], ["rfd_1"]],
    [["--since", "1h"], ["rfd_2"]],
    [
      ["--since", ago(6_000_000)],
      ["rfd_1", "rfd_2"],
    ],
    [["--status", "failed", "--since", "1h"], []],
  ])("a list is narrowed down by %j", async (filters, ids) => {
    service.on("GET /operator/refunds", { json: { data: refunds } });
    service.on("GET /operator/clock", { json: { now: ago(0), offsetSeconds: 0 } });
    const { stdout } = await cli(["refund", "list", "--json", ...filters]);
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toStrictEqual(ids);
  });

  test("what is watched is shown again, and what changes something is not repeated", async () => {
    service.on("POST /operator/refunds/rfd_1/retry", { json: refunds[0] });
    expect(await cli(["refund", "retry", "rfd_1", "--watch"])).toStrictEqual({
      exitCode: 1,
      stdout: "",
      stderr: "--watch is for commands that show something\n",
    });
    expect(service.seen).toStrictEqual([]);
    let answered = 0;
    service.on("GET /operator/clock", () => {
      answered += 1;
      return answered < 3 ? { json: { now: answered } } : { status: 409, json: { statusCode: 409, message: "enough" } };
    });
    expect(await cli(["clock", "show", "--watch"])).toStrictEqual({
      exitCode: 1,
      stdout: "\nnow  1\n\nnow  2\n\n",
      stderr: "enough\n",
    });
  });

  test("an empty list says so", async () => {
    service.on("GET /operator/transfers", { json: { data: [] } });
    expect((await cli(["transfer", "list"])).stdout).toBe("none\n");
  });

  test("one thing is a list of fields, and can't steer the terminal", async () => {
    service.on("POST /operator/accounts", { json: { id: "acc_1", name: "a\u001B[31mb" } });
    expect((await cli(["account", "create", "--name", "x"])).stdout).toBe("id    acc_1\nname  a\\u001b[31mb\n");
  });

  test("what is within a field is a line each; figures over time are the last, and bars; a time is one", async () => {
    service.on("GET /operator/summary", {
      json: {
        due: { now: 2, oldest: null },
        seats: ["1A", "1B"],
        none: [],
        rates: [0, 7, 4],
        of: { series: { rate: [0, 7, 4] } },
        departsAt: 0,
        notes: [{ "a\u001B[2J": 1 }],
      },
    });
    expect((await cli(["summary"])).stdout.split("\n")).toStrictEqual([
      "due.now             2",
      "due.oldest          -",
      "seats               1A 1B",
      "none                -",
      "rates               0 7 4",
      "of.series.rate      4 ▁█▅",
      "departsAt           1970-01-01T00:00:00.000Z",
      "notes.0.a\\u001b[2J  1",
      "",
    ]);
  });
});

describe("what customers write can't steer the terminal", () => {
  // C0, DEL, C1 (U+009B begins a command as ESC [ does), bidirectional marks, line separators.
  const name = "a\0\n\u001B[2J\u007F\u0085\u009B2J\u061C\u200E\u200F\u202E\u2066\u2069\u2028\u2029z";
  const seen = "\\u001b[2J\\u007f\\u0085\\u009b2J\\u061c\\u200e\\u200f\\u202e\\u2066\\u2069\\u2028\\u2029z";
  const harmless = "Zoë 李 نام\u200Cها";
  const shown = `a\\u0000\\u000a${seen}`;

  test("in a table", async () => {
    service.on("GET /operator/accounts", { json: { data: [{ name, also: [name], error: { name } }] } });
    const { stdout } = await cli(["account", "list"]);
    expect(stdout.split("\n")[1]).toBe(`${shown}  ${shown}  {"name":"a\\u0000\\n${seen}"}`);
  });

  test.each([
    ["a value", ["account", "create", "--name", "x"], "POST /operator/accounts", { json: { name, harmless } }],
    ["a list", ["account", "list"], "GET /operator/accounts", { json: { data: [{ name, harmless }] } }],
    ["an event", ["stream", "show", "s"], "GET /operator/streams/s", { lines: [{ name, harmless }] }],
  ] as const)("in the JSON of %s, which stays equal", async (_, line, at, answer) => {
    service.on(at, answer);
    const { stdout } = await cli([...line, "--json"]);
    expect([JSON.parse(stdout)].flat()).toStrictEqual([{ name, harmless }]);
    expect(stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    expect(stdout).toContain(harmless);
  });

  test("in the reason of a refusal", async () => {
    service.on("POST /operator/accounts", { status: 409, json: { statusCode: 409, message: [name, "two"] } });
    expect((await cli(["account", "create", "--name", "x"])).stderr).toBe(`${shown}\ntwo\n`);
  });
});

test("booking show: what it is, then a timeline", async () => {
  service.on("GET /operator/bookings/bkg_1", { json: SHOWN });
  expect((await cli(["booking", "show", "bkg_1"])).stdout.split("\n")).toStrictEqual([
    "bookingId          bkg_1",
    "passengers.0.name  Ada",
    "#3  2026-11-01T00:00:00.000Z  Seats 1A, 1B → 2A, 2B; Reference none → R  credential crd_1",
    "",
  ]);
});

describe("refund retry", () => {
  test("with --disruption sends again all that failed of it", async () => {
    const refunds = ["failed", "pending", "failed"].map((status, number) => ({ id: `rfd_${number}`, status }));
    service.on("GET /operator/refunds?disruption=dis_1", { json: { data: refunds } });
    for (const { id } of refunds) service.on(`POST /operator/refunds/${id}/retry`, { json: { id, status: "pending" } });
    const { stdout } = await cli(["refund", "retry", "--disruption", "dis_1", "--json"]);
    expect(JSON.parse(stdout)).toStrictEqual(["rfd_0", "rfd_2"].map((id) => ({ id, status: "pending" })));
    expect(service.seen.map(({ method, path }) => `${method} ${path}`)).toStrictEqual([
      "GET /operator/refunds?disruption=dis_1",
      "POST /operator/refunds/rfd_0/retry",
      "POST /operator/refunds/rfd_2/retry",
    ]);
  });

  test.each([[[]], [["rfd_1", "--disruption", "dis_1"]]])("takes one or the other: %j", async (more) => {
    const { exitCode, stderr } = await cli(["refund", "retry", ...more]);
    expect({ exitCode, stderr }).toStrictEqual({
      exitCode: 1,
      stderr: "name one refund, or a disruption with --disruption\n",
    });
  });
});

test.each([[[]], [["--accept", "--refund"]]])("disruption settle takes one answer, and not %j", async (more) => {
  expect(await cli(["disruption", "settle", "dcs_1", ...more])).toMatchObject({
    exitCode: 1,
    stderr: "give one of --accept, --rebook, --upgrade, --downgrade and --refund\n",
  });
});

describe("disruption export", () => {
  const lines = [
    { bookingId: "bkg_1", flightId: '=HYPERLINK("x")', deliveredAt: null, due: 500 },
    { bookingId: "+1", flightId: "-2,\u001b[31m", deliveredAt: "@now", due: 0 },
    { bookingId: "Ada;=1;b", flightId: "a=1", deliveredAt: null, due: 0 },
  ];

  test("is a table for spreadsheets, which take no cell of it for a formula", async () => {
    service.on("GET /operator/disruptions/dis_1/export", { lines });
    const { stdout } = await cli(["disruption", "export", "dis_1", "--format", "csv"]);
    expect(stdout.split("\n")).toStrictEqual([
      "bookingId,flightId,deliveredAt,due",
      `bkg_1,"'=HYPERLINK(""x"")",,500`,
      `'+1,"'-2,\\u001b[31m",'@now,0`,
      "Ada;'=1;b,a=1,,0",
      "",
    ]);
  });

  test("with --json prints each as it is", async () => {
    service.on("GET /operator/disruptions/dis_1/export", { lines });
    const { stdout } = await cli(["disruption", "export", "dis_1", "--json"]);
    expect(stdout.split("\n").map((line) => line && JSON.parse(line))).toStrictEqual([...lines, ""]);
  });
});

describe("stream show", () => {
  const event = {
    stream: "flight-a b",
    revision: 7,
    position: "12",
    type: "SeatsBooked",
    at: "2026-11-01T00:00:00.000Z",
    data: { bookingId: "bkg_1", seats: ["1A", "1B"], name: "a\u001b[31mb", more: { of: 1 } },
    metadata: { actor: { kind: "credential", id: "crd_1" } },
  };

  test("prints all of each event as JSON", async () => {
    service.on("GET /operator/streams/flight-a%20b", { lines: [event, { revision: 8 }] });
    const { stdout } = await cli(["stream", "show", "flight-a b", "--json"]);
    expect(stdout.split("\n").map((line) => line && JSON.parse(line))).toStrictEqual([event, { revision: 8 }, ""]);
  });

  test("is a timeline for people", async () => {
    service.on("GET /operator/streams/flight-a%20b", { lines: [event] });
    expect((await cli(["stream", "show", "flight-a b"])).stdout).toBe(
      '#7  2026-11-01T00:00:00.000Z  SeatsBooked  credential crd_1  bookingId=bkg_1 seats=1A,1B name=a\\u001b[31mb more={"of":1}\n',
    );
    const onTerminal = await capturedRun(["stream", "show", "flight-a b"], {
      env: { OPERATOR_URL: url, OPERATOR_TOKEN: "s3cret" },
      terminal: true,
      columns: 40,
    });
    expect(onTerminal.stdout).toMatch(/^#7 {2}\d+ d ago {2}SeatsBooked[^\n]*…\n$/);
    expect(onTerminal.stdout.length).toBe(41);
  });

  test("says how to get those before, and gets them", async () => {
    service.on("GET /operator/streams/s", { lines: [event] });
    expect((await cli(["stream", "show", "s"])).stderr).toBe("Earlier events: --before 7\n");
    service.on("GET /operator/streams/s?before=7&until=12", { lines: [{ ...event, revision: 0 }] });
    const { stderr, stdout } = await cli(["stream", "show", "s", "--before", "7", "--until", "12"]);
    expect([stderr, stdout.slice(0, 2)]).toStrictEqual(["", "#0"]);
  });

  test("event tail names streams", async () => {
    service.on("GET /operator/events", { lines: [event] });
    expect((await cli(["event", "tail"])).stdout).toMatch(
      /^12 {2}flight-a b {2}2026-11-01T00:00:00.000Z {2}SeatsBooked /,
    );
  });

  test("event tail is narrowed down to some streams and a type", async () => {
    const other = { ...event, stream: "booking-b", type: "BookingConfirmed" };
    service.on("GET /operator/events", { lines: [event, other, { ...other, type: "BookingCreated" }] });
    const types = async (...line: readonly string[]) =>
      (await cli(["event", "tail", "--json", ...line])).stdout.match(/(?<="type":")\w+/g);
    expect(await types("--stream", "flight-")).toStrictEqual(["SeatsBooked"]);
    expect(await types("--stream", "booking-")).toStrictEqual(["BookingConfirmed", "BookingCreated"]);
    expect(await types("--type", "BookingConfirmed")).toStrictEqual(["BookingConfirmed"]);
  });

  test("says when the answer broke off", async () => {
    service.on("GET /operator/streams/s", { lines: [{ revision: 0 }], breakOff: true });
    const { exitCode, stderr } = await cli(["stream", "show", "s"]);
    expect({ exitCode, stderr }).toStrictEqual({
      exitCode: 1,
      stderr: `the operator interface at ${url} is not reachable (the answer broke off): is the service running there?\n`,
    });
  });
});

describe("projection rebuild", () => {
  const path_ = "POST /operator/projections/bookings/rebuild";
  const result = { name: "bookings", events: 200, seconds: 1.5 };
  const progress = { position: 50, head: 200, rate: 100, secondsLeft: 65 };

  test("prints only the result as JSON", async () => {
    service.on(path_, { lines: [{ progress }, { result }] });
    const { stdout, stderr } = await cli(["projection", "rebuild", "bookings", "--json"], true);
    expect(JSON.parse(stdout)).toStrictEqual(result);
    expect(stderr).toBe("");
  });

  test("draws a bar on a terminal and wipes it", async () => {
    service.on(path_, { lines: [{ progress }, { result }] });
    const { stdout, stderr } = await capturedRun(["projection", "rebuild", "bookings"], {
      env: { OPERATOR_URL: url, OPERATOR_TOKEN: "s3cret", NO_COLOR: "1" },
      terminal: true,
    });
    expect(stderr).toBe(
      `\r\u001B[2Kbookings [${"#".repeat(7)}${".".repeat(23)}] 25%  50/200  100/s  1 min 5 s left\r\u001B[2K`,
    );
    expect(stdout).toBe("name     bookings\nevents   200\nseconds  1.5\n");
  });

  test("draws nothing where there is no terminal", async () => {
    service.on(path_, { lines: [{ progress }, { result }] });
    expect((await cli(["projection", "rebuild", "bookings"])).stderr).toBe("");
  });

  test("a rebuild that fails is a refusal", async () => {
    service.on(path_, { lines: [{ progress }, { error: { message: "poison event 17" } }] });
    const { exitCode, stdout, stderr } = await cli(["projection", "rebuild", "bookings"]);
    expect({ exitCode, stdout, stderr }).toStrictEqual({ exitCode: 1, stdout: "", stderr: "poison event 17\n" });
  });

  test("of all: prints a row for each", async () => {
    const other = { ...result, name: "flights" };
    service.on("POST /operator/projections/rebuild", { lines: [{ progress }, { result }, { result: other }] });
    const { stdout } = await cli(["projection", "rebuild", "--all", "--json"]);
    expect(JSON.parse(stdout)).toStrictEqual([result, other]);
  });

  test("of all: those that fail are told when the others are done", async () => {
    service.on("POST /operator/projections/rebuild", { lines: [{ error: { message: "poison" } }, { result }] });
    const { exitCode, stdout, stderr } = await cli(["projection", "rebuild", "--all"]);
    expect({ exitCode, stdout, stderr }).toStrictEqual({ exitCode: 1, stdout: "", stderr: "poison\n" });
  });

  test.each([[[]], [["bookings", "--all"]]])("either one or all: %j", async (given) => {
    const { exitCode, stderr } = await cli(["projection", "rebuild", ...given]);
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 1, stderr: "name one read model, or give --all\n" });
  });

  test("an end without a result is a failure", async () => {
    service.on(path_, { lines: [{ progress }] });
    const { exitCode, stderr } = await cli(["projection", "rebuild", "bookings"]);
    expect({ exitCode, stderr }).toStrictEqual({
      exitCode: 1,
      stderr: "bookings: the service ended it without a result\n",
    });
  });
});

test("payments reconcile prints each difference between the ledgers", async () => {
  const difference = { paymentId: "pay_1", gatewayId: "ch_1", difference: "amount_differs", ours: {}, theirs: {} };
  service.on("POST /operator/payments/reconcile", {
    lines: [{ progress: { done: 1, total: 2, perSecond: 1, secondsLeft: 1 } }, { result: [difference] }],
  });
  const { exitCode, stdout } = await cli(["payments", "reconcile", "--since", "2027-01-01T00:00:00Z", "--json"]);
  expect([exitCode, JSON.parse(stdout)]).toStrictEqual([0, [difference]]);
  expect(service.seen.map(({ body }) => body)).toStrictEqual([{ since: "2027-01-01T00:00:00.000Z" }]);
});

describe("what can't be undone", () => {
  const env = () => ({ OPERATOR_URL: url, OPERATOR_TOKEN: "s3cret" });
  const CASES: readonly (readonly [line: string, name: string])[] = [
    ["account suspend acc_1", "acc_1"],
    ["account erase acc_1", "acc_1"],
    ["passenger erase psg_1", "psg_1"],
    ["booking erase bkg_1", "bkg_1"],
    ["credential revoke crd_1", "crd_1"],
    ["webhook delete whe_1", "whe_1"],
    ["webhook rotate-secret whe_1", "whe_1"],
    ["webhook replay --endpoint whe/1 --since 2026-11-21T12:00:00Z", "whe/1"],
    ["projection skip bookings", "bookings"],
    ["transfer returned e/1", "e/1"],
    ["transfer reverse e1 --reason typo", "e1"],
    ["refund settle rfd_1", "rfd_1"],
    ["flight cancel F --run 2", "F"],
  ];

  test.each(CASES)("%s: is done on a terminal once its name is typed", async (line, name) => {
    const words = line.split(" ");
    const typing = (typed: string, ...more: string[]) =>
      capturedRun([...words, ...more], { env: env(), terminal: true, typed });
    for (const typed of ["", "y\n", `${name}x\n`]) {
      const { exitCode, stdout, stderr } = await typing(typed);
      expect([exitCode, stdout, stderr]).toStrictEqual([
        1,
        `This can't be undone. Type ${name} to do it: `,
        `that is not ${name}: nothing was done (--yes asks nothing)\n`,
      ]);
    }
    expect(service.seen).toStrictEqual([]);
    await typing(`${name}\n`);
    await typing("", "--yes");
    await typing("", "--json");
    await cli(words);
    expect(service.seen).toHaveLength(4);
  });

  test("a plan is no question", async () => {
    service.on("POST /operator/flights/F/cancel", { json: plan });
    const { exitCode } = await capturedRun(["flight", "cancel", "F"], { env: env(), terminal: true });
    expect(exitCode).toBe(0);
  });
});

test("transfer preview says what would happen", async () => {
  const preview = {
    ...{ names: 1, bookingId: "bkg_1", reference: "RF18", amount: 905, currency: "USD", receivedBefore: false },
    ...{ total: 90_500, arrived: 0, applied: 905, stillToCome: 89_595, toReturn: 0, cause: null },
  };
  service.on("POST /operator/transfers/preview", { json: preview });
  const { stdout } = await cli(["transfer", "preview", "--reference", "RF18", "--sum", "9.05"]);
  expect(stdout).toBe("9.05 of 905.00 USD, 895.95 still to come.\n");
});

test("a report in which there is nothing has its columns, but not where it is refused", async () => {
  const line = ["report", "refunds", "--from", "2030-03-01T00:00:00Z", "--to", "2030-03-02T00:00:00Z"];
  const path = "GET /operator/reports/refunds?from=2030-03-01T00:00:00.000Z&to=2030-03-02T00:00:00.000Z";
  service.on("GET /operator/clock", { json: { now: "2030-03-03T12:00:00.000Z", offsetSeconds: 9 } });
  service.on(path, { lines: [] });
  const columns = "createdAt,id,bookingId,accountId,status,amount,currency,paymentId,reason\n";
  expect((await cli(line)).stdout).toBe(columns);
  service.on(path, { status: 400, json: { message: ["to must be after from"] } });
  expect((await cli(line)).stdout).toBe("");
});

test.each([
  ["payments reconcile --since", "POST /operator/payments/reconcile"],
  ["webhook replay --endpoint whe_1 --since", "POST /operator/webhook-endpoints/whe_1/replay"],
  ["flight manifest F --as-of", "GET /operator/flights/F/manifest?asOf=2030-03-01T12:00:00.000Z"],
  [
    "report payments --to 2030-03-02 --from",
    "GET /operator/reports/payments?from=2030-03-01T12:00:00.000Z&to=2030-03-02T00:00:00.000Z",
  ],
])(
  "%s takes how long ago it was by the service's clock, and no day that the calendar has not",
  async (line, request) => {
    service.on("GET /operator/clock", { json: { now: "2030-03-03T12:00:00.000Z", offsetSeconds: 9 } });
    service.on(request, request.startsWith("GET") ? { lines: [] } : { lines: [{ result: [] }] });
    await cli([...line.split(" "), "2d"]);
    const [clock, asked] = service.seen;
    expect(clock?.path).toBe("/operator/clock");
    if (request.startsWith("POST")) expect(asked?.body).toStrictEqual({ since: "2030-03-01T12:00:00.000Z" });
    else expect(`GET ${asked?.path}`).toBe(request);
    expect((await cli([...line.split(" "), "2030-02-30T12:00:00Z"])).stderr).toContain("not a moment of the calendar");
  },
);
