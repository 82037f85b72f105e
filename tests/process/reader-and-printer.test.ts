import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { DocumentReviewer, ReaderAway, ReadingFailed, ReadingTimeout } from "@travel-booking/document-reviewer";
import { passportZone, pdfWithZone } from "@travel-booking/document-reviewer/testing";
import { connectTo } from "@travel-booking/runtime/stream-address";
import { browserForTests } from "../boarding-passes/kit/browser.ts";
import { Client, expectStatus } from "../end-to-end/kit/client.ts";
import { documentsOf, upload } from "../end-to-end/kit/upload.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";
import { WorkerProgram } from "./kit/worker-program.ts";

const ZONE = passportZone({ surname: "LOVELACE", givenNames: "ADA", expiresOn: "391231" });
/** On a busy machine the process that reads comes last. */
const timeoutMs = 240_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "apart-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const started: WorkerProgram[] = [];
afterEach(async () => {
  for (const program of started.splice(0)) await program.kill();
});

async function start(name: string, env: Readonly<Record<string, string>>): Promise<WorkerProgram> {
  const program = await WorkerProgram.start(name, env);
  started.push(program);
  return program;
}

/** Until its connection is closed by the other side, after it has said this. */
async function closedAfter(path: string, said: Uint8Array): Promise<void> {
  const socket = connect(path).on("error", () => undefined);
  socket.write(said);
  socket.resume();
  await once(socket, "close");
}

const NO_JSON = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0x41]);
const TOO_LONG = Buffer.from([0xff, 0, 0, 0, 0, 0, 0, 0]);

describe("a reader that runs apart", () => {
  test("gives each connection a process of its own, without our environment, which ends with it", async () => {
    const path = join(folder, "reader");
    const reader = await start("document-reviewer", { LISTEN: `unix:${path}` });
    const content = await pdfWithZone(ZONE);
    const reviewers = [1, 2].map(() => new DocumentReviewer({ connect: () => connectTo(`unix:${path}`), timeoutMs }));
    const readings = await Promise.all(reviewers.map((reviewer) => reviewer.read(content, "application/pdf")));
    expect(readings.map(({ outcome }) => outcome)).toStrictEqual(["read", "read"]);
    expect(reader.children.length).toBe(2);
    for (const pid of reader.children) expect(readFileSync(`/proc/${pid}/environ`, "latin1")).toBe("");
    reviewers[0]?.stop();
    await until(async () => reader.children.length === 1);
    // A connection that asks nothing.
    const silent = await connectTo(`unix:${path}`);
    expect((await reviewers[1]?.read(content, "application/pdf"))?.outcome).toBe("read");
    expect(reader.children.length).toBe(1);
    silent.destroy();
    reviewers[1]?.stop();
    await until(async () => reader.children.length === 0);
  });

  test("ends what is late, or says what is no request, and goes on", async () => {
    const path = join(folder, "late");
    const reader = await start("document-reviewer", { LISTEN: `unix:${path}` });
    const address = `unix:${path}`;
    const content = await pdfWithZone(ZONE);
    const impatient = new DocumentReviewer({ connect: () => connectTo(address), timeoutMs: 1 });
    await expect(impatient.read(content, "application/pdf")).rejects.toBeInstanceOf(ReadingTimeout);
    impatient.stop();
    for (const said of [NO_JSON, TOO_LONG]) await closedAfter(path, said);
    await until(async () => reader.children.length === 0);
    const reviewer = new DocumentReviewer({ connect: () => connectTo(address), timeoutMs });
    expect((await reviewer.read(content, "application/pdf")).outcome).toBe("read");

    const lost = reviewer.read(content, "application/pdf");
    await reader.kill();
    await expect(lost).rejects.toBeInstanceOf(ReadingFailed);
    await expect(reviewer.read(content, "application/pdf")).rejects.toBeInstanceOf(ReaderAway);
    await start("document-reviewer", { LISTEN: address });
    expect((await reviewer.read(content, "application/pdf")).outcome).toBe("read");
    reviewer.stop();
  });
});

test("a program without an address, or with one that is taken by nobody, says so", async () => {
  await expect(start("document-reviewer", {})).rejects.toThrow('LISTEN is ""');
  await expect(start("boarding-pass-printer", { LISTEN: "7002" })).rejects.toThrow('LISTEN is "7002"');
  const nowhere = { LISTEN: `unix:${join(folder, "missing", "socket")}` };
  await expect(start("boarding-pass-printer", nowhere)).rejects.toThrow("boarding-pass-printer can't listen: listen ");
});

test("a service with reader and printer apart starts none, and finds them again after both were killed", async () => {
  const reader = { LISTEN: `unix:${join(folder, "reader-socket")}` };
  const browser = await browserForTests();
  const printer = {
    LISTEN: `unix:${join(folder, "printer-socket")}`,
    BROWSER_PATH: browser.path,
    BROWSER_SANDBOX: "false",
    TMPDIR: folder,
  };
  const programs = [await start("document-reviewer", reader), await start("boarding-pass-printer", printer)];
  const service = await Service.start({
    env: {
      DOCUMENT_READER_URL: reader.LISTEN,
      BOARDING_PASS_PRINTER_URL: printer.LISTEN,
      RATE_LIMIT_PER_MINUTE: "0",
      // Without a printer of its own the setting is none of its business.
      BROWSER_SANDBOX: "false",
    },
  });
  try {
    expect(service.stdout).not.toContain("sandbox");
    expect(service.stdout).not.toContain("documents are read");
    await importFlights(service, [{ id: "AP-1", departsIn: 60 }]);
    const { apiKey } = await service.newApiKey();
    const client = new Client(service.baseUrl, { apiKey });
    const content = await pdfWithZone(ZONE);
    const paid = async () => {
      const { id } = expectStatus(201, await client.book("AP-1"));
      expectStatus(201, await client.pay(id));
      return id;
    };
    const pass = async (id: string) => {
      const place = `${service.baseUrl}/v1/bookings/${id}/boarding-pass?format=pdf`;
      const response = await fetch(place, { headers: { "x-api-key": apiKey } });
      return [response.status, (await response.text()).slice(0, 5)];
    };
    const reviewed = async (id: string) => {
      await until(async () => (await documentsOf(client, id))[0]?.status !== "pending");
      return (await documentsOf(client, id))[0]?.status;
    };
    const first = await paid();
    expectStatus(201, await upload(client, first, { content }));
    expect(await reviewed(first)).toBe("verified");
    expect(await pass(first)).toStrictEqual([200, "%PDF-"]);
    const { pid } = service.process;
    expect(readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1")).toBe("");

    for (const program of programs) await program.kill();
    const second = await paid();
    expectStatus(201, await upload(client, second, { content }));
    await until(async () => service.stderr.includes('"type":"ReaderAway"'));
    expect((await pass(second))[0]).toBe(503);
    await start("document-reviewer", reader);
    await start("boarding-pass-printer", printer);
    expect(await reviewed(second)).toBe("verified");
    expect(await pass(second)).toStrictEqual([200, "%PDF-"]);
  } finally {
    await service.discard();
    browser.discard();
  }
});

test("a printer that runs apart closes what says no request, and ends by a signal", async () => {
  const path = join(folder, "printer");
  const printer = await start("boarding-pass-printer", { LISTEN: `unix:${path}`, TMPDIR: folder });
  for (const said of [NO_JSON, TOO_LONG]) await closedAfter(path, said);
  const socket = await connectTo(`unix:${path}`);
  expect(await printer.kill("SIGTERM")).toBe(0);
  socket.destroy();
});
