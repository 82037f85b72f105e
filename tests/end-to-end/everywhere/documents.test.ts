import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BoardingPassesBody, BookingBody, TravelDocumentBody } from "@travel-booking/api-contract";
import { blankImage, imageOfZone, passportZone, pdfWithZone } from "@travel-booking/document-reviewer/testing";
import { withoutElections } from "../../support/distributed/elections.ts";
import { ADA, ALAN, type Client, expectStatus, newKey } from "../kit/client.ts";
import { eventsOf } from "../kit/feed.ts";
import { expectProblems, expectRefused } from "../kit/problems.ts";
import { documentsOf, MULTIPART, multipartOf, upload } from "../kit/upload.ts";
import { openWorld, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "KP-1", departsIn: 40, rows: [10, 40] }] });
  ({ alice, bob } = world);
});
afterAll(() => world.discard());

const PDF = Buffer.from("%PDF-1.4\nnothing that can be read\n");
const LARGEST = 10_485_760;
const TEN_YEARS = 3_650;

function expiresIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(2, 10).replaceAll("-", "");
}

const passportOf = (surname: string, givenNames: string, days = TEN_YEARS, number?: string) =>
  pdfWithZone(passportZone({ surname, givenNames, expiresOn: expiresIn(days), ...(number && { number }) }));

/**
 * Its documents, once the reviewer has been through all of them. What an election keeps it from recording it reads again: on
 * a busy machine that takes longer than from one election to the next.
 */
async function reviewed(client: Client, bookingId: string): Promise<readonly TravelDocumentBody[]> {
  await withoutElections(() => reviewsDone(bookingId));
  return documentsOf(client, bookingId);
}

async function reviewsDone(bookingId: string): Promise<void> {
  for (;;) {
    const { body } = await world.service.operator("GET", "/documents");
    const queue = (body as { data: readonly { bookingId: string; awaits: string }[] }).data;
    if (!queue.some((row) => row.bookingId === bookingId && row.awaits === "reviewer")) return;
    await pause(100);
  }
}

describe("uploading a document", () => {
  test("adds its name to the booking and tells so; it is listed, oldest first", async () => {
    const booking = await alice.newBooking("KP-1");
    expect(await documentsOf(alice, booking.id)).toStrictEqual([]);
    const first = expectStatus(201, await upload(alice, booking.id, { content: PDF, fileName: "pass.pdf" }));
    expect(first).toStrictEqual({ ...booking, documents: ["pass.pdf"] });
    const second = expectStatus(201, await upload(alice, booking.id, { content: PDF, fileName: "pass.pdf" }));
    expect(second.documents).toStrictEqual(["pass.pdf", "pass.pdf"]);
    expect(await alice.booking(booking.id)).toStrictEqual(second);
    const [one, other] = await documentsOf(alice, booking.id);
    expect(one).toMatchObject({ fileName: "pass.pdf", contentType: "application/pdf", sizeBytes: PDF.length });
    expect(Date.parse(one?.uploadedAt ?? "")).toBeLessThanOrEqual(Date.parse(other?.uploadedAt ?? ""));
    const changes = (await eventsOf(alice, booking.id)).map(({ type, data }) => [
      type,
      (data.object as BookingBody).documents,
      data.previousAttributes,
    ]);
    expect(changes).toStrictEqual([
      ["booking.changed", ["pass.pdf"], { documents: [] }],
      ["booking.changed", ["pass.pdf", "pass.pdf"], { documents: ["pass.pdf"] }],
    ]);
  });

  test("tells what a file is by its bytes", async () => {
    const { id } = await alice.newBooking("KP-1");
    const png = await (await imageOfZone(["NO ZONE"])).resize(40).png().toBuffer();
    expectStatus(201, await upload(alice, id, { content: png, fileName: "a.pdf", contentType: "application/pdf" }));
    expect((await documentsOf(alice, id)).map(({ contentType }) => contentType)).toStrictEqual(["image/png"]);
    const text = { content: "%!PS, no PDF", fileName: "a.pdf", contentType: "application/pdf" };
    expectProblems(await upload(alice, id, text), ["file must be a PDF, PNG or JPEG"]);
  });

  test("takes ten megabytes and not a byte more", async () => {
    const { id } = await alice.newBooking("KP-1");
    const most = Buffer.alloc(LARGEST, "%PDF-1.4 and so on ");
    expect(expectStatus(201, await upload(alice, id, { content: most })).documents).toHaveLength(1);
    const more = Buffer.concat([most, Buffer.from("!")]);
    expectProblems(await upload(alice, id, { content: more }), [`file must have at most ${LARGEST} bytes`]);
    const far = Buffer.alloc(LARGEST + 100_000, "%PDF-1.4 and so on ");
    expectProblems(await upload(alice, id, { content: far }), [`file must have at most ${LARGEST} bytes`]);
    expect((await documentsOf(alice, id)).map(({ sizeBytes }) => sizeBytes)).toStrictEqual([LARGEST]);
  });

  const ONE = { fileName: "a.pdf", content: PDF };
  test.each([
    ["nothing", multipartOf(), ["file is required"]],
    ["an empty file", multipartOf({ ...ONE, content: "" }), ["file must not be empty"]],
    ["another field", multipartOf({ ...ONE, name: "scan" }), ["scan is not a known field"]],
    ["a further field", multipartOf(ONE, { name: "kind", content: "passport" }), ["kind is not a known field"]],
    ["two files", multipartOf(ONE, ONE), ["file is given more than once"]],
    ["text for a file", multipartOf({ content: "hello" }), ["file must be a PDF, PNG or JPEG"]],
    ["a body that ends too soon", multipartOf(ONE).subarray(0, -12), ["body is not well-formed multipart/form-data"]],
    ["no multipart body", Buffer.from("hello"), ["body is not well-formed multipart/form-data"]],
  ])("refuses %s", async (_, body, problems) => {
    const { id } = await alice.newBooking("KP-1");
    const answer = await alice.post(`/v1/bookings/${id}/documents`, body, { "content-type": MULTIPART });
    expectProblems(answer, problems);
    expect(await documentsOf(alice, id)).toStrictEqual([]);
  });

  test("refuses other content types, and one without a boundary", async () => {
    const { id } = await alice.newBooking("KP-1");
    const path = `/v1/bookings/${id}/documents`;
    expectProblems(await alice.post(path, {}), ["Content-Type must be multipart/form-data"]);
    expectProblems(await alice.post(path, PDF, { "content-type": "application/pdf" }), [
      "Content-Type must be multipart/form-data",
    ]);
    expectProblems(await alice.post(path, PDF, { "content-type": "multipart/form-data" }), [
      "Content-Type must have a boundary",
    ]);
  });

  test("is for the account's own bookings", async () => {
    const { id } = await alice.newBooking("KP-1");
    expectRefused(await upload(bob, id, { content: PDF }), 404, "booking");
    expectRefused(await upload(alice, "bkg_none", { content: PDF }), 404, "booking");
    expectRefused(await bob.get(`/v1/bookings/${id}/documents`), 404, "booking");
    expectRefused(await alice.get("/v1/bookings/bkg_none/documents"), 404, "booking");
    const reader = await world.withScopes(["bookings:read"], world.accountOf.alice);
    expectRefused(await upload(reader, id, { content: PDF }), 403, "bookings:write");
    expect(await documentsOf(reader, id)).toStrictEqual([]);
  });

  test("is once under one Idempotency-Key, which stands for its bytes", async () => {
    const { id } = await alice.newBooking("KP-1");
    const key = { "idempotency-key": newKey() };
    const twins = await Promise.all([1, 2, 3].map(() => upload(alice, id, { content: PDF }, key)));
    for (const twin of twins) expect([twin.status, twin.text]).toStrictEqual([201, twins[0]?.text]);
    const again = await upload(alice, id, { content: PDF }, key);
    expect([again.status, again.headers.get("idempotent-replayed")]).toStrictEqual([201, "true"]);
    expectRefused(await upload(alice, id, { content: `${PDF}!` }, key), 422, "Idempotency-Key");
    expect(await documentsOf(alice, id)).toHaveLength(1);
  });
});

describe("the review", () => {
  test("verifies a passport that is good, and leaves no trace of it but the outcome", async () => {
    const { id } = await alice.newBooking("KP-1", { passengers: [ALAN, ADA] });
    expectStatus(201, await upload(alice, id, { content: await passportOf("LOVELACE", "ADA KING") }));
    const [document] = await reviewed(alice, id);
    expect(document).toMatchObject({ kind: "passport", status: "verified", rejectionReason: null });
    const history = expectStatus(
      200,
      await alice.get<{ data: readonly { type: string; changes: object }[] }>(`/v1/bookings/${id}/history`),
    );
    expect(history.data.slice(-2).map(({ type }) => type)).toStrictEqual(["document.uploaded", "document.verified"]);
    expect(history.data.at(-1)?.changes).toStrictEqual({
      [`documents.${document?.id}`]: {
        kind: { from: "unknown", to: "passport" },
        status: { from: "pending", to: "verified" },
      },
    });
    expect(world.service.stderr).not.toMatch(/LOVELACE|L898902C3/);
  });

  test.each([
    ["has expired", () => passportOf("LOVELACE", "ADA", -10), "The document has expired."],
    [
      "is valid too short",
      () => passportOf("LOVELACE", "ADA", 100),
      /^The document must be valid until \d{4}-\d\d-\d\d at least, six months after departure\.$/,
    ],
    [
      "is somebody else's",
      () => passportOf("HOPPER", "GRACE"),
      "The name on the document is that of no passenger of the booking.",
    ],
    ["can't be opened", async () => PDF, "The file is damaged; upload it again."],
  ])("rejects one that %s", async (_, make, reason) => {
    const { id } = await alice.newBooking("KP-1");
    expectStatus(201, await upload(alice, id, { content: await make() }));
    const [document] = await reviewed(alice, id);
    expect(document?.status).toBe("rejected");
    expect(document?.rejectionReason).toMatch(reason);
  });

  test("reads a scan", async () => {
    const { id } = await alice.newBooking("KP-1");
    // Not every picture can be read, and another date makes another picture: of this one it is known, until 2069.
    const zone = passportZone({ surname: "LOVELACE", givenNames: "ADA", expiresOn: "700101" });
    const scan = await (await imageOfZone(zone)).jpeg().toBuffer();
    expectStatus(201, await upload(alice, id, { content: scan, fileName: "scan.jpg" }));
    expect(await reviewed(alice, id)).toMatchObject([{ kind: "passport", status: "verified", fileName: "scan.jpg" }]);
  });

  test("leaves to an operator what can't be read", async () => {
    const { id } = await alice.newBooking("KP-1", { passengers: [ADA, ALAN] });
    const content = await pdfWithZone(["no zone in here"]);
    for (const fileName of ["a.pdf", "b.pdf"]) expectStatus(201, await upload(alice, id, { content, fileName }));
    const [one, other] = await reviewed(alice, id);
    expect([one?.status, other?.status]).toStrictEqual(["pending", "pending"]);
    const operator: typeof world.service.operator = (...call) => world.service.operator(...call);
    const queue = async () =>
      ((await operator("GET", "/documents")).body as { data: readonly { bookingId: string; id: string }[] }).data
        .filter(({ bookingId }) => bookingId === id)
        .map((row) => row.id);
    expect(await queue()).toStrictEqual([one?.id, other?.id]);
    expect(await operator("POST", `/documents/${one?.id}/verify`)).toMatchObject({
      status: 200,
      body: { id: one?.id, bookingId: id, status: "verified", kind: "passport" },
    });
    const rejected = await operator("POST", `/documents/${other?.id}/reject`, { reason: "the photograph is missing" });
    expect(rejected).toMatchObject({ status: 200, body: { status: "rejected", kind: "unknown" } });
    expect(await documentsOf(alice, id)).toMatchObject([
      { status: "verified", rejectionReason: null },
      { status: "rejected", rejectionReason: "the photograph is missing" },
    ]);
    expect(await queue()).toStrictEqual([]);
    const unknown = `/documents/doc_${"0".repeat(44)}`;
    expect((await operator("POST", `${unknown}/verify`)).status).toBe(404);
    expect((await operator("POST", `/documents/${one?.id}/verify`, { passenger: 2 })).status).toBe(422);
    expect((await operator("POST", `/documents/${one?.id}/reject`)).status).toBe(400);
  });

  test("is done when the clock has been moved", async () => {
    const { id } = await alice.newBooking("KP-1");
    expectStatus(201, await upload(alice, id, { content: await passportOf("LOVELACE", "ADA") }));
    await world.advance(60);
    expect(await documentsOf(alice, id)).toMatchObject([{ status: "verified" }]);
  });
});

describe("on the boarding pass", () => {
  const passesOf = async (bookingId: string) =>
    expectStatus(200, await alice.get<BoardingPassesBody>(`/v1/bookings/${bookingId}/boarding-pass?format=json`))
      .passes;

  test("an upload nobody has read makes one passenger wait, not all; each further one another", async () => {
    const { booking } = await alice.paidBooking("KP-1", { passengers: [ADA, ALAN] });
    const checksAfterUpload = async () => {
      expectStatus(201, await upload(alice, booking.id, { content: await blankImage().png().toBuffer() }));
      const documents = await reviewed(alice, booking.id);
      expect(documents.map(({ status }) => status)).toStrictEqual(documents.map(() => "pending"));
      return (await passesOf(booking.id)).map(({ documentCheck }) => documentCheck);
    };
    expect(await checksAfterUpload()).toStrictEqual(["pending", "missing"]);
    expect(await checksAfterUpload()).toStrictEqual(["pending", "pending"]);
  });

  test("a passport counts for one passenger, however often it is sent: whose name it has in its order", async () => {
    const of = (name: string, index: number) => ({ name, email: `maria${index}@example.com` });
    const party = ["Maria Silva", "Maria Clara Silva", "Clara Silva", "Clara Maria Silva"];
    const { booking } = await alice.paidBooking("KP-1", { passengers: party.map(of) });
    const checksAfter = async (content: Buffer) => {
      expectStatus(201, await upload(alice, booking.id, { content }));
      const documents = await reviewed(alice, booking.id);
      expect(documents.map(({ status }) => status)).toStrictEqual(documents.map(() => "verified"));
      return (await passesOf(booking.id)).map(({ documentCheck, barcode }) => [
        documentCheck,
        barcode.message.slice(2, 22).trimEnd(),
      ]);
    };
    const others = [
      ["missing", "SILVA/MARIA"],
      ["missing", "SILVA/CLARA"],
    ];
    const [whole, second] = [
      ["ok", "SILVA/MARIA CLARA"],
      ["missing", "SILVA/CLARA MARIA"],
    ];
    const first = await passportOf("SILVA", "MARIA CLARA");
    expect(await checksAfter(first)).toStrictEqual([others[0], whole, others[1], second]);
    expect(await checksAfter(first)).toStrictEqual([others[0], whole, others[1], second]);
    expect(await checksAfter(Buffer.concat([first, Buffer.from("\n")]))).toStrictEqual([
      others[0],
      whole,
      others[1],
      second,
    ]);
    const another = await passportOf("SILVA", "MARIA CLARA", TEN_YEARS, "L898902C4");
    expect(await checksAfter(another)).toStrictEqual([others[0], whole, others[1], second]);
  });

  test("the barcode has the name of the passport, also of one that an operator had to verify", async () => {
    const li = { name: "李小龍", email: "li@example.com" };
    const { booking } = await alice.paidBooking("KP-1", { passengers: [li, ADA] });
    const names = async () => (await passesOf(booking.id)).map(({ barcode }) => barcode.message.slice(2, 22).trimEnd());
    expect(await names()).toStrictEqual(["LI/XIAOLONG", "LOVELACE/ADA"]);
    expectStatus(201, await upload(alice, booking.id, { content: await passportOf("LEE", "BRUCE JUN FAN") }));
    const hers = await passportOf("LOVELACE", "ADA AUGUSTA", TEN_YEARS, "L898902C4");
    expectStatus(201, await upload(alice, booking.id, { content: hers }));
    const [doubtful] = await reviewed(alice, booking.id);
    expect(await names()).toStrictEqual(["LI/XIAOLONG", "LOVELACE/ADA AUGUSTA"]);
    expect((await world.service.operator("POST", `/documents/${doubtful?.id}/verify`, { passenger: 0 })).status).toBe(
      200,
    );
    expect(await names()).toStrictEqual(["LEE/BRUCE JUN FAN", "LOVELACE/ADA AUGUSTA"]);
  });
});
