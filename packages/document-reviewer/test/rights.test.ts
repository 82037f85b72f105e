import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { silentLogger } from "@travel-booking/runtime";
import { messagesOf, writeMessage } from "@travel-booking/runtime/messages";
import { DocumentReviewer, ReadingFailed } from "../src/index.ts";
import { findIsolation } from "../src/isolation.ts";
import { startReader } from "../src/start-reader.ts";
import { countingServer } from "./kit/counting-server.ts";

const logger = silentLogger;

test("a script inside the reading process reads, writes, starts and reaches nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reviewer-rights-"));
  const secret = join(folder, "secret");
  const made = join(folder, "new");
  writeFileSync(secret, "");
  const server = await countingServer();
  const addon = createRequire(import.meta.url).resolve(`@img/sharp-${process.platform}-${process.arch}/sharp.node`);
  const stream = await startReader({
    isolation: await findIsolation(),
    logger,
    program: new URL("./kit/hostile-script.ts", import.meta.url),
    args: [secret, made, String(server.port), addon, String(process.pid)],
  });
  try {
    writeMessage(stream, { id: 1 });
    const { value } = await messagesOf(stream, 1_000_000).next();
    const { outcomes } = value.value as { readonly outcomes: Record<string, string> };
    expect(Object.keys(outcomes).length).toBeGreaterThan(15);
    expect(Object.entries(outcomes).filter(([, outcome]) => outcome !== "denied")).toStrictEqual([]);
    expect(existsSync(made)).toBe(false);
    expect(server.connections).toBe(0);
  } finally {
    stream.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  }
});

test.each([
  "nothing",
  "a zone without its names",
  "a name of great length",
  "another outcome",
  "a picture that was not asked for",
])("a script that answers with %s fails the reading, and nothing else", async (what) => {
  const program = new URL("./kit/confusing-script.ts", import.meta.url);
  const connect = () => startReader({ isolation: { programs: [] }, logger, program, args: [what] });
  const reviewer = new DocumentReviewer({ connect });
  try {
    await expect(reviewer.read(new Uint8Array(), "image/png")).rejects.toBeInstanceOf(ReadingFailed);
  } finally {
    reviewer.stop();
  }
});
