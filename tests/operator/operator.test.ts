import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { KEPLER_442B } from "../support/catalogue.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";

const ENV = { SANDBOX_CLOCK: "true", RATE_LIMIT_PER_MINUTE: "0" };
const folder = temporaryFolders();

const CABIN = { cabin: "economy", deck: 1, amount: 10_000, currency: "USD", layout: "AB CD", rows: [1, 20] };
const FLIGHT = {
  id: "OP-1",
  from: "LEO",
  destinationId: KEPLER_442B.id,
  departsAt: new Date(Date.now() + 60 * 86_400_000).toISOString(),
  durationDays: 480,
  cabins: [CABIN],
};
const CATALOGUE = {
  destinations: [KEPLER_442B],
  flights: [FLIGHT],
};

/** The operator's commands (docs/rules.md#operator-interface), by the command line, against the real service. */
describe("the operator's commands", () => {
  let service: Service;
  let accountId: string;
  let apiKey: string;

  beforeAll(async () => {
    service = await Service.start({ env: ENV });
    const account = await cli<{ id: string; name: string }>("account", "create", "--name", "Acme Travel");
    expect(account).toStrictEqual({ id: expect.stringMatching(/^acc_/), name: "Acme Travel" });
    accountId = account.id;
    const made = await cli<{ id: string; apiKey: string }>(
      ..."credential create --kind api-key".split(" "),
      "--account",
      accountId,
    );
    expect(Object.keys(made)).toStrictEqual(["id", "apiKey"]);
    apiKey = made.apiKey;
  });
  afterAll(() => service.discard());

  const cli = <Value>(...line: readonly string[]) => operatorJson<Value>({ DATA_DIR: service.dataDir }, ...line);
  const refusedCli = async (...line: readonly string[]) => {
    const { code, stdout, stderr } = await operatorCli({ DATA_DIR: service.dataDir }, ...line);
    expect([code, stdout]).toStrictEqual([1, ""]);
    return stderr.trimEnd().split("\n");
  };
  const api = (key = apiKey) => new ApiClient(service.baseUrl, { apiKey: key });

  function catalogue(content: unknown): string {
    const file = join(folder(), "catalogue.json");
    writeFileSync(file, JSON.stringify(content));
    return file;
  }

  async function book(): Promise<string> {
    const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
    const answer = await api().post<{ id: string }>("/v1/bookings", { flightId: "OP-1", cabin: "economy", passengers });
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  test("catalogue import: twice, another fare, other seats, a bad file", async () => {
    const all = { added: 1, changed: 0, unchanged: 0 };
    const none = { added: 0, changed: 0, unchanged: 1 };
    const fresh = await cli<{ changes: readonly { id: string; from: unknown }[] }>(
      "catalogue",
      "preview",
      catalogue(CATALOGUE),
    );
    expect(fresh).toMatchObject({ destinations: all, flights: all, refused: [] });
    expect(fresh.changes.map(({ id, from }) => [id, from])).toStrictEqual([
      [KEPLER_442B.id, null],
      ["OP-1", null],
    ]);
    expect((await service.operator("GET", "/flights/OP-1")).status).toBe(404);
    expect(await cli("catalogue", "import", catalogue(CATALOGUE))).toStrictEqual({ destinations: all, flights: all });
    const again = await cli("catalogue", "import", catalogue(CATALOGUE));
    expect(again).toStrictEqual({ destinations: none, flights: none });

    const dearer = { ...CATALOGUE, flights: [{ ...FLIGHT, cabins: [{ ...CABIN, amount: 12_000 }] }] };
    expect(await cli("catalogue", "preview", catalogue(dearer))).toStrictEqual({
      destinations: none,
      flights: { added: 0, changed: 1, unchanged: 0 },
      refused: [],
      changes: [{ id: "OP-1", from: { economy: `${CABIN.amount} USD` }, to: { economy: "12000 USD" } }],
    });
    const changed = await cli("catalogue", "import", catalogue(dearer));
    expect(changed).toStrictEqual({ destinations: none, flights: { added: 0, changed: 1, unchanged: 0 } });
    const fares = async () => (await api().get<{ fares: unknown }>("/v1/flights/OP-1")).body.fares;
    expect(await fares()).toStrictEqual([{ cabin: "economy", amount: 12_000, currency: "USD", seatsLeft: 80 }]);

    const others = [
      { ...FLIGHT, cabins: [{ ...CABIN, rows: [1, 21] }] },
      { ...FLIGHT, id: "OP-2" },
    ];
    expect(await cli("catalogue", "preview", catalogue({ ...CATALOGUE, flights: others }))).toMatchObject({
      flights: { added: 1, changed: 0, unchanged: 0 },
      refused: [expect.stringContaining("flight OP-1 was not imported")],
    });
    expect(await refusedCli("catalogue", "import", catalogue({ ...CATALOGUE, flights: others }))).toStrictEqual([
      "flight OP-1 was not imported: its seats or times differ from the flight that is already on sale, and those are fixed",
    ]);
    expect(await fares()).toStrictEqual([{ cabin: "economy", amount: 12_000, currency: "USD", seatsLeft: 80 }]);
    expect((await api().get("/v1/flights/OP-2")).status).toBe(200);
    const { seatMap, ...flight } = await cli<{ seatMap: readonly { rows: readonly unknown[] }[] }>(
      "flight",
      "show",
      "OP-2",
    );
    expect(flight).toMatchObject({ id: "OP-2" });
    expect(seatMap.map(({ rows }) => rows.length)).toStrictEqual([20]);

    const bad = { destinations: [{ id: "x" }], flights: [{ ...FLIGHT, departsAt: "soon", cabins: [] }], extra: 1 };
    const problems = (await refusedCli("catalogue", "import", catalogue(bad))).join("\n");
    for (const part of ["destinations[0].name", "flights[0].departsAt", "flights[0].cabins", "extra"]) {
      expect(problems).toContain(part);
    }
    const nowhere = CATALOGUE.flights
      .slice(0, 1)
      .map((flight) => ({ ...flight, id: "NW-1", destinationId: "nowhere" }));
    expect(await refusedCli("catalogue", "import", catalogue({ destinations: [], flights: nowhere }))).toStrictEqual([
      "flight NW-1 was not imported: there is no destination nowhere",
    ]);
    expect((await refusedCli("catalogue", "import", join(folder(), "none.json"))).join()).toContain("ENOENT");
  });

  test("a credential has the scopes it was given, and is gone the moment it is revoked", async () => {
    const create = ["credential", "create", "--account", accountId];
    const made = await cli<{ id: string; apiKey: string }>(...create, "--kind", "api-key", "--scopes", "flights:read");
    expect((await api(made.apiKey).get("/v1/flights/OP-1")).status).toBe(200);
    expect((await api(made.apiKey).get("/v1/bookings")).status).toBe(403);
    const listed = await cli<readonly Record<string, unknown>[]>("credential", "list");
    expect(listed.find(({ id }) => id === made.id)).toMatchObject({
      accountId,
      kind: "api-key",
      scopes: ["flights:read"],
    });
    expect(JSON.stringify(listed)).not.toMatch(/secret|hash|tbs_live_\w{5}/i);
    expect(JSON.stringify(listed)).toContain(`"prefix":"${made.apiKey.slice(0, 13)}"`);
    expect(await cli("credential", "revoke", made.id)).toStrictEqual({ id: made.id, status: "revoked" });
    expect((await api(made.apiKey).get("/v1/flights/OP-1")).status).toBe(401);
    expect((await api().get("/v1/flights/OP-1")).status).toBe(200);

    const client = await cli<{ id: string; clientId: string; clientSecret: string }>(
      ...create,
      "--kind",
      "oauth-client",
      "--name",
      "n",
    );
    expect(Object.keys(client)).toStrictEqual(["id", "clientId", "clientSecret"]);
    const token = async () =>
      fetch(`${service.baseUrl}/v1/oauth/token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "client_credentials",
          client_id: client.clientId,
          client_secret: client.clientSecret,
        }),
      });
    const granted = await token();
    const { access_token: accessToken } = (await granted.json()) as { access_token: string };
    const bearer = new ApiClient(service.baseUrl, { accessToken });
    expect((await bearer.get("/v1/bookings")).status).toBe(200);
    await cli("credential", "revoke", client.id);
    expect([(await bearer.get("/v1/bookings")).status, (await token()).status]).toStrictEqual([401, 401]);

    expect(await refusedCli("credential", "revoke", "crd_none")).toStrictEqual(["no credential with this id"]);
    expect(await refusedCli("credential", "create", "--account", "acc_none", "--kind", "api-key")).toStrictEqual([
      "no account with this id",
    ]);
    expect((await refusedCli(...create, "--kind", "api-key", "--scopes", "flights:write")).join()).toContain("scopes");
  });

  test("a suspended account is refused at once, and served again when it is resumed", async () => {
    const suspended = { id: accountId, name: "Acme Travel", status: "suspended" };
    expect(await cli("account", "suspend", accountId)).toStrictEqual(suspended);
    expect((await api().get("/v1/flights/OP-1")).status).toBe(403);
    expect((await api().post("/v1/bookings", {})).status).toBe(403);
    expect(await cli("account", "list")).toContainEqual(expect.objectContaining(suspended));
    expect(await cli("account", "resume", accountId)).toStrictEqual({ ...suspended, status: "active" });
    expect((await api().get("/v1/flights/OP-1")).status).toBe(200);
    expect(await refusedCli("account", "suspend", "acc_none")).toStrictEqual(["no account with this id"]);
  });

  test("booking show: what each event changed, and what the booking was", async () => {
    const bookingId = await book();
    await api().patch(`/v1/bookings/${bookingId}`, { reference: "R-1" });
    await api().post(`/v1/bookings/${bookingId}/payments`, { type: "bank_transfer" }, { "Idempotency-Key": "shown" });
    const shown = await cli<Record<string, unknown>>("booking", "show", bookingId);
    expect(shown).toMatchObject({
      at: 2,
      last: 2,
      booking: { status: "pending", reference: "R-1" },
      timeline: [
        {
          revision: 0,
          type: "BookingCreated",
          actor: { kind: "credential" },
          changes: { status: { from: null, to: "pending" }, payments: { from: null, to: [] } },
        },
        { revision: 1, type: "BookingChanged", changes: { reference: { from: null, to: "R-1" } } },
        { revision: 2, type: "PaymentStarted", changes: { payments: { from: [], to: [{ status: "pending" }] } } },
      ],
    });
    expect(await cli("booking", "show", bookingId, "--at", "0")).toMatchObject({ at: 0, booking: { reference: null } });
    expect(await refusedCli("booking", "show", "bkg_none")).toStrictEqual(["no booking with this id"]);
  });

  test("summary: ready, nothing overdue, and the figures of the last hour", async () => {
    const { missing, details, due, waiting, vitals } = await cli<{
      missing: readonly string[];
      details: object;
      due: { overdue: number };
      waiting: object;
      vitals: { series: Record<string, readonly number[]> };
    }>("summary");
    expect([missing, details, due.overdue]).toStrictEqual([[], {}, 0]);
    const refunds = { refundsPending: 0, refundsStuck: 0, refundsFailed: 0 };
    const others = { disruptionsHanging: 0, partiesWithoutSeats: 0, partiesUnseated: 0, unseated: [] };
    expect(waiting).toStrictEqual({ documents: 0, transfers: 1, unmatched: 0, returns: 0, ...refunds, ...others });
    for (const name of ["memory", "disk", "commands", "requests", "projections.bookings"]) {
      expect([name, vitals.series[name]?.length]).toStrictEqual([name, expect.any(Number)]);
    }
  });

  test("transfers: received, the same entry twice, too much, sent back; refunds settled", async () => {
    const bookingId = await book();
    const paid = await api().post<{ id: string; amount: number; method: { bankTransfer: { reference: string } } }>(
      `/v1/bookings/${bookingId}/payments`,
      { type: "bank_transfer" },
      { "Idempotency-Key": "transfer" },
    );
    const { reference } = paid.body.method.bankTransfer;
    const total = paid.body.amount;
    const receive = (amount: number, entry: string, ...more: readonly string[]) =>
      cli<readonly Record<string, unknown>[]>(
        ..."transfer receive --reference".split(" "),
        reference,
        "--amount",
        String(amount),
        "--entry",
        entry,
        ...more,
      );
    const row = {
      reference,
      paymentId: paid.body.id,
      bookingId,
      accountId,
      currency: "USD",
      createdAt: expect.any(String),
    };
    const part = { ...row, id: "bank-1", amount: 1_000, status: "partial" };
    expect(await receive(1_000, "bank-1")).toStrictEqual([part]);
    expect(await receive(1_000, "bank-1")).toStrictEqual([part]);
    const rest = await receive(total, "bank-2");
    expect(rest.map(({ amount, status }) => [amount, status])).toStrictEqual([
      [total - 1_000, "applied"],
      [1_000, "to_return"],
    ]);
    const foreign = await receive(700, "bank-3", "--currency", "EUR");
    expect(foreign).toMatchObject([{ amount: 700, currency: "EUR", status: "to_return" }]);
    const ofThis = (await cli<readonly Record<string, unknown>[]>("transfer", "list")).filter(
      ({ paymentId }) => paymentId === paid.body.id,
    );
    expect(ofThis.map(({ amount, status }) => `${amount} ${status}`).sort()).toStrictEqual(
      ["1000 applied", `${total - 1_000} applied`, "1000 to_return", "700 to_return"].sort(),
    );
    const back = foreign[0]?.id as string;
    expect(await cli("transfer", "returned", back)).toMatchObject({ id: back, status: "returned" });
    expect((await refusedCli("transfer", "returned", "none")).join()).toBe("no transfer with this id");

    const refund = await api().post<{ id: string; status: string }>(`/v1/payments/${paid.body.id}/refunds`, {});
    expect(refund.body.status).toBe("pending");
    expect(await cli("refund", "settle", refund.body.id)).toMatchObject({ id: refund.body.id, status: "succeeded" });
    const after = await api().get<{ refunds: readonly { status: string }[] }>(`/v1/payments/${paid.body.id}`);
    expect(after.body.refunds).toMatchObject([{ status: "succeeded" }]);
    expect(await refusedCli("refund", "settle", "rfd_none")).toStrictEqual(["no refund with this id"]);
  });

  test("money that was entered by mistake is taken back, and entered as it was; what has paid goes with its booking", async () => {
    const bookingId = await book();
    const before = (await api().get<{ pointsPending: number }>("/v1/loyalty/account")).body.pointsPending;
    const paid = await api().post<{ id: string; amount: number; method: { bankTransfer: { reference: string } } }>(
      `/v1/bookings/${bookingId}/payments`,
      { type: "bank_transfer" },
      { "Idempotency-Key": "mistyped" },
    );
    const { reference } = paid.body.method.bankTransfer;
    const receive = (amount: number, entry: string) =>
      cli<readonly { id: string; status: string }[]>(
        ..."transfer receive --reference".split(" "),
        ...[reference, "--amount", String(amount), "--entry", entry],
      );
    const reverse = (id: string, ...more: readonly string[]) =>
      ["transfer", "reverse", id, "--reason", "Ada's cents", ...more] as const;
    await receive(120, "typo-1");
    const reversed = { id: "typo-1", amount: 120, status: "reversed", reason: "Ada's cents", bookingId, reference };
    expect(await cli(...reverse("typo-1"))).toMatchObject(reversed);
    expect(await cli(...reverse("typo-1"))).toMatchObject(reversed);
    const expected = await cli<readonly { bookingId: string; amount: number }[]>("transfer", "expected");
    expect(expected.find((row) => row.bookingId === bookingId)?.amount).toBe(paid.body.amount);
    const all = await receive(paid.body.amount + 50, "typo-1");
    expect(all.map(({ status }) => status).sort()).toStrictEqual(["applied", "to_return"]);

    const [why] = await refusedCli(...reverse("typo-1"));
    expect(why).toContain("it has paid its booking; --cancel-booking cancels that");
    const due = all.find(({ status }) => status === "to_return")?.id ?? "";
    await cli(...reverse(due, "--cancel-booking"));
    const rows = await cli<readonly { bookingId: string; id: string; status: string }[]>("transfer", "list");
    expect(rows.filter((row) => row.bookingId === bookingId)).toMatchObject([
      { id: "typo-1", amount: paid.body.amount + 50, status: "reversed" },
    ]);
    expect((await api().get<{ status: string }>(`/v1/bookings/${bookingId}`)).body.status).toBe("cancelled");
    const payment = await api().get<object>(`/v1/payments/${paid.body.id}`);
    expect(payment.body).toMatchObject({ status: "failed", failureCode: "booking_cancelled", amountRefunded: 0 });
    expect((await api().get<{ pointsPending: number }>("/v1/loyalty/account")).body.pointsPending).toBe(before);

    await refusedCli("transfer", "receive", "--reference", "whose", "--amount", "7", "--entry", "typo-2");
    const nobodys = { id: "typo-2", bookingId: null, reference: null, status: "reversed", reason: "Ada's cents" };
    expect(await cli(...reverse("typo-2"))).toMatchObject(nobodys);
    expect(await refusedCli(...reverse("none"))).toStrictEqual(["no money with this id"]);
    expect((await operatorCli({ DATA_DIR: service.dataDir }, "transfer", "reverse", "typo-2")).code).toBe(2);
    const gone = (await cli<readonly { id: string; status: string }[]>("transfer", "list")).find(
      ({ status }) => status === "returned",
    );
    expect((await refusedCli(...reverse(gone?.id ?? ""))).join()).toContain(
      "money of it was sent back, or is on its way",
    );
  });

  test("the clock: shown, moved, and everything due is done when that is answered", async () => {
    const shown = await cli<{ now: string; offsetSeconds: number }>("clock", "show");
    expect(Object.keys(shown)).toStrictEqual(["now", "offsetSeconds"]);
    const hold = await api().post<{ expiresAt: string }>("/v1/flights/OP-1/seat-holds", { seats: ["1A", "1B"] });
    expect(hold.status).toBe(201);
    const moved = await cli<{ now: string; offsetSeconds: number }>("clock", "advance", "20m");
    expect(moved.offsetSeconds).toBe(shown.offsetSeconds + 1_200);
    expect(Date.parse(moved.now)).toBeGreaterThan(Date.parse(hold.body.expiresAt));
    const stream = (await operatorCli({ DATA_DIR: service.dataDir }, "stream", "show", "flight-OP-1", "--json")).stdout
      .trimEnd()
      .split("\n");
    const events = stream.map((line) => JSON.parse(line) as { type: string; at: string | number; revision: number });
    expect(events.map(({ revision }) => revision)).toStrictEqual(events.map((_, index) => index));
    const expired = events.at(-1);
    expect(expired?.type).toBe("SeatHoldExpired");
    // Each timer fires at its own time, and not when the clock has come to rest five minutes later.
    const late = new Date(expired?.at ?? 0).getTime() - Date.parse(hold.body.expiresAt);
    expect([late >= 0, late < 240_000]).toStrictEqual([true, true]);
    expect((await operatorCli({ DATA_DIR: service.dataDir }, "clock", "advance", "soon")).code).toBe(2);
  });

  test("find: by how a word begins, whatever its case; by what was written on a booking, or a request, as a whole", async () => {
    const bookingId = await book();
    await api().patch(`/v1/bookings/${bookingId}`, { reference: 'Order 18/15 "é"' });
    const transfer = await api().post<{ method: { bankTransfer: { reference: string } } }>(
      `/v1/bookings/${bookingId}/payments`,
      { type: "bank_transfer" },
      { "Idempotency-Key": "found" },
    );
    const { reference } = transfer.body.method.bankTransfer;
    // Who has written reads it, and so does everybody from then on.
    await api().get(`/v1/bookings/${bookingId}`);
    const ids = async (word: string) => (await cli<{ id: string }[]>("find", word)).map(({ id }) => id);
    for (const word of ['order 18/15 "É"', "ord", "18", reference, reference.toLowerCase(), bookingId])
      expect(await ids(word)).toStrictEqual([bookingId]);
    expect(await ids("ADA@example.com")).toContain(bookingId);
    expect(await ids("lovel")).toContain(bookingId);
    expect(await cli("find", 'order 18/15 "é"')).toStrictEqual([
      {
        ...{ kind: "booking", id: bookingId, accountId, status: "pending", name: "Ada Lovelace" },
        ...{ about: 'OP-1, Order 18/15 "é"', createdAt: expect.any(String) },
      },
    ]);
    expect((await cli<{ kind: string }[]>("find", "OP-1"))[0]?.kind).toBe("flight");
    for (const word of ['order 18/15 "é"', reference])
      expect(await cli("booking", "find", word)).toStrictEqual([
        {
          ...{ id: bookingId, accountId, status: "pending", flightId: "OP-1", passengers: ["Ada Lovelace"] },
          ...{ reference: 'Order 18/15 "é"', createdAt: expect.any(String) },
        },
      ]);
    const saved = {
      ...{ firstName: "Zoë", lastName: "Quist", email: "zq@example.com", dateOfBirth: "1990-01-01" },
      ...{ nationality: "GB", passport: { number: "L898902C3", expiresOn: "2034-04-15", issuingCountry: "NZ" } },
    };
    const { body: profile } = await api().post<{ id: string }>("/v1/passengers", saved, {
      "Idempotency-Key": "saved",
    });
    const key = await cli<{ id: string }>(
      ...["credential", "create", "--account", accountId, "--kind", "api-key", "--name", "Kiosk 7"],
    );
    expect([await ids("zoë qu"), await ids("kiosk"), await ids("acme")]).toStrictEqual([
      [profile.id],
      [key.id],
      [accountId],
    ]);
    for (const word of ["zoë qu", "kiosk", "acme"]) expect(await cli("booking", "find", word)).toStrictEqual([]);
    await api().patch(`/v1/bookings/${bookingId}`, { reference: "18/16" }, { "X-Request-Id": "the-request-of-1816" });
    await api().get(`/v1/bookings/${bookingId}`);
    for (const word of ["18/16", 'Order 18/15 "é"', "the-request-of-1816"])
      expect(await ids(word)).toStrictEqual([bookingId]);
    for (const word of ["rder", "reference", "pending", "nobody@example.com"])
      expect(await ids(word)).toStrictEqual([]);
    expect(await refusedCli("find", " ")).toStrictEqual(["word takes what is to be found"]);
  });

  test("event tail: what is appended from then on, until nobody listens", async () => {
    const { url, token } = {
      url: service.operatorUrl,
      token: readFileSync(join(service.dataDir, "operator-token"), "utf8").trim(),
    };
    const gone = new AbortController();
    const answer = await fetch(`${url}/operator/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: gone.signal,
    });
    const lines = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    const bookingId = await book();
    let seen = "";
    while (!seen.includes("BookingCreated")) seen += (await lines.next()).value;
    const created = seen
      .split("\n")
      .filter((line) => line.includes("BookingCreated"))
      .map((line) => JSON.parse(line) as object);
    expect(created).toMatchObject([{ stream: `booking-${bookingId}`, revision: 0, position: expect.any(String) }]);
    // Words are shown as they are, as everywhere here.
    expect(created).toMatchObject([{ data: { passengers: [{ name: "Ada Lovelace" }] } }]);
    gone.abort();
  });

  test("streams: there is nothing to show of one that is not there", async () => {
    expect(await refusedCli("stream", "show", "booking-none")).toStrictEqual(["no stream with this name"]);
  });

  test("a backup made while it runs starts on its own, and shows the same", async () => {
    const bookingId = await book();
    const copy = join(folder(), "copy");
    const made = await cli<{ path: string; bytes: number }>("backup", copy);
    expect(made).toStrictEqual({ path: copy, bytes: expect.any(Number) });
    expect(made.bytes).toBe(
      ["log", "read", "keys"].reduce((sum, name) => sum + statSync(join(copy, name, "data.mdb")).size, 0),
    );
    const everything = async (of: Service) => {
      const client = new ApiClient(of.baseUrl, { apiKey });
      const paths = [
        "/v1/bookings?limit=100",
        `/v1/bookings/${bookingId}/history`,
        "/v1/flights?limit=100",
        "/v1/flights/OP-1/seat-map",
      ];
      const read = await Promise.all(paths.map(async (path) => (await client.get(path)).body));
      const lists = ["/accounts", "/credentials", "/transfers"];
      const rowsOf = async (path: string) =>
        ((await of.operator("GET", path)).body as { data: readonly object[] }).data;
      const rows = await Promise.all(lists.map(rowsOf));
      // What is asked here is a use.
      return { read, rows: rows.flat().map((row) => ({ ...row, lastUsedAt: null })) };
    };
    const before = await everything(service);
    const SECRET_KEY = readFileSync(join(service.dataDir, "secret-key"), "utf8").trim();
    const second = await Service.start({ dataDir: copy, env: { ...ENV, SECRET_KEY } });
    try {
      expect(await everything(second)).toStrictEqual(before);
      expect((await new ApiClient(second.baseUrl, { apiKey }).post(`/v1/bookings/${bookingId}/cancel`)).status).toBe(
        200,
      );
      expect(await everything(service)).toStrictEqual(before);
    } finally {
      await second.kill();
    }
    expect((await refusedCli("backup", copy)).join()).toBe(`${copy} is not empty`);
    const file = join(folder(), "file");
    writeFileSync(file, "");
    expect((await refusedCli("backup", file)).join()).toContain("is not a folder");
    expect((await refusedCli("backup", join(file, "copy"))).join()).toContain("can't be written");
    expect(readdirSync(service.dataDir)).not.toContain("copy");
  });

  test("without the token, or with another one, nothing", async () => {
    for (const headers of [{}, { authorization: "Bearer wrong" }]) {
      const response = await fetch(`${service.operatorUrl}/operator/accounts`, { headers });
      expect([response.status, response.headers.get("www-authenticate")]).toStrictEqual([401, "Bearer"]);
    }
  });
});
