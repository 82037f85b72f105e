import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { TravelDocumentBody } from "@travel-booking/api-contract";
import { passportZone, pdfWithZone } from "@travel-booking/document-reviewer/testing";
import { Client, expectStatus } from "../end-to-end/kit/client.ts";
import { documentsOf, upload } from "../end-to-end/kit/upload.ts";
import { DESTINATIONS, flightOf, importCatalogue } from "../end-to-end/kit/world.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";

const ENV = { RATE_LIMIT_PER_MINUTE: "0", SANDBOX_CLOCK: "true" };

let service: Service;
let credential: { readonly apiKey: string };
let folder: string;
let content: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "documents-"));
  service = await Service.start({ env: ENV });
  credential = await service.newApiKey();
  await importCatalogue(service, {
    destinations: [DESTINATIONS[0]],
    flights: [flightOf({ id: "KP-1", departsIn: 40 }, Date.now())],
  });
  content = await pdfWithZone(["nothing to be read"]);
});
afterAll(async () => {
  await service.discard();
  rmSync(folder, { recursive: true });
});

interface Row extends TravelDocumentBody {
  readonly bookingId: string;
  readonly awaits: string;
}

const cli = <Value>(...line: readonly string[]) => operatorJson<Value>({ DATA_DIR: service.dataDir }, ...line);

/** A document the reviewer has left to the operator. */
async function leftToOperator(): Promise<Row> {
  const client = new Client(service.baseUrl, credential);
  const { id } = await client.newBooking("KP-1");
  expectStatus(201, await upload(client, id, { content, fileName: "Pass Ada.pdf" }));
  await cli("clock", "advance", "1s");
  const row = (await cli<readonly Row[]>("document", "list")).find(({ bookingId }) => bookingId === id);
  if (row === undefined) throw new Error("the document is not in the queue");
  return row;
}

test("an operator finds a document, looks at it, and decides", async () => {
  const row = await leftToOperator();
  expect(row).toMatchObject({ status: "pending", awaits: "operator", kind: "unknown", fileName: "Pass Ada.pdf" });
  const path = join(folder, "pass.pdf");
  const where = { DATA_DIR: service.dataDir };
  const asked = await operatorCli(where, "document", "download", row.id, path, "--original", "--json");
  expect(asked.stderr).toContain("may attack the program that opens it");
  expect(JSON.parse(asked.stdout)).toStrictEqual({
    fileName: "Pass Ada.pdf",
    contentType: "application/pdf",
    sizeBytes: content.length,
    path,
  });
  expect(readFileSync(path).equals(content)).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(
    (await operatorCli({ DATA_DIR: service.dataDir }, "document", "download", row.id, path, "--original")).code,
  ).toBe(1);

  const drawn = join(folder, "pass.jpg");
  expect(await cli("document", "download", row.id, drawn)).toMatchObject({
    fileName: "Pass Ada.pdf.jpg",
    contentType: "image/jpeg",
    path: drawn,
  });
  expect([...readFileSync(drawn).subarray(0, 3)]).toStrictEqual([0xff, 0xd8, 0xff]);
  expect(await cli("document", "show", row.id)).toMatchObject({
    id: row.id,
    awaits: "operator",
    read: null,
    passengers: ["Ada Lovelace"],
  });

  expect(await cli("document", "verify", row.id)).toMatchObject({ id: row.id, kind: "passport", status: "verified" });
  expect(await cli("document", "reject", row.id, "--reason", "it is forged")).toMatchObject({
    status: "rejected",
    rejectionReason: "it is forged",
  });
  expect((await operatorCli({ DATA_DIR: service.dataDir }, "document", "reject", row.id)).code).toBe(2);
  expect(
    (await operatorCli({ DATA_DIR: service.dataDir }, "document", "verify", row.id, "--passenger", "one")).code,
  ).toBe(2);
  const unknown = await operatorCli({ DATA_DIR: service.dataDir }, "document", "verify", "doc_none");
  expect([unknown.code, unknown.stderr]).toStrictEqual([1, expect.stringContaining("no document with this id")]);
});

test("an operator finds a document that was rejected wrongly, and undoes it", async () => {
  const client = new Client(service.baseUrl, credential);
  const { id: bookingId } = await client.newBooking("KP-1");
  const zone = passportZone({ surname: "BYRON", givenNames: "AUGUSTA", expiresOn: "700101" });
  expectStatus(201, await upload(client, bookingId, { content: await pdfWithZone(zone), fileName: "maiden name.pdf" }));
  await cli("clock", "advance", "1s");
  const rejected = async () =>
    (await cli<readonly Row[]>("document", "list", "--rejected")).filter((row) => row.bookingId === bookingId);
  const [row, ...others] = await rejected();
  const rejectionReason = "The name on the document is that of no passenger of the booking.";
  const shown = { id: row?.id, bookingId, kind: "passport", status: "rejected", rejectionReason };
  expect([row, others]).toStrictEqual([expect.objectContaining({ ...shown, fileName: "maiden name.pdf" }), []]);
  expect(await cli("document", "show", row?.id ?? "")).toMatchObject({
    ...shown,
    awaits: null,
    read: { name: "BYRON/AUGUSTA", expiresOn: "2070-01-01", number: "1898902C3" },
  });
  await cli("document", "verify", row?.id ?? "");
  expect(await documentsOf(client, bookingId)).toMatchObject([{ status: "verified", rejectionReason: null }]);
  expect(await rejected()).toStrictEqual([]);
});

test("an operator hears that the files are out of reach", async () => {
  const row = await leftToOperator();
  const files = join(service.dataDir, "files");
  renameSync(files, `${files}.away`);
  writeFileSync(files, "no folder");
  try {
    const download = ["document", "download", row.id, join(folder, "unread.pdf")] as const;
    const { code, stderr } = await operatorCli({ DATA_DIR: service.dataDir }, ...download);
    expect([code, stderr]).toStrictEqual([1, expect.stringContaining("the blob store is out of reach")]);
  } finally {
    rmSync(files);
    renameSync(`${files}.away`, files);
  }
});

test("a backup has the files of its documents", async () => {
  const row = await leftToOperator();
  const copy = join(folder, "copy");
  await cli("backup", copy);
  // Kept apart from backups.
  copyFileSync(join(service.dataDir, "secret-key"), join(copy, "secret-key"));
  const second = await Service.start({ dataDir: copy, env: ENV });
  try {
    const path = join(folder, "from-the-copy.pdf");
    expect((await operatorCli({ DATA_DIR: copy }, "document", "download", row.id, path, "--original")).code).toBe(0);
    expect(readFileSync(path).equals(content)).toBe(true);
    const client = new Client(second.baseUrl, credential);
    expect(await documentsOf(client, row.bookingId)).toMatchObject([{ id: row.id, status: "pending" }]);
  } finally {
    await second.kill();
  }
});

test("reviews are counted, and nothing of a document is in the log", async () => {
  await leftToOperator();
  const metrics = await (await fetch(service.metricsUrl)).text();
  expect(metrics).toMatch(/^document_reviews_total\{outcome="operator"\} [1-9]/m);
  expect(metrics).toMatch(/^document_reviews_waiting 0$/m);
  expect(service.stderr).not.toMatch(/Pass Ada|nothing to be read/);
});
