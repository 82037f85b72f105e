import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { ReadingTimeout, ReviewerChildProcess } from "../src/child-process.ts";
import { findIsolation } from "../src/isolation.ts";
import { forkRestricted } from "../src/restricted-process.ts";

test("a script inside the reading process reads, writes, starts and reaches nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reviewer-rights-"));
  const secret = join(folder, "secret");
  const made = join(folder, "new");
  writeFileSync(secret, "");
  let connections = 0;
  const server = createServer(() => {
    connections += 1;
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const addon = createRequire(import.meta.url).resolve(`@img/sharp-${process.platform}-${process.arch}/sharp.node`);
  const child = forkRestricted(
    new URL("./kit/hostile-script.ts", import.meta.url),
    [secret, made, String(port), addon],
    await findIsolation(),
  );
  try {
    child.send("begin");
    const [outcomes] = (await once(child, "message")) as [Record<string, string>];
    expect(Object.keys(outcomes).length).toBeGreaterThan(15);
    expect(Object.entries(outcomes).filter(([, outcome]) => outcome !== "denied")).toStrictEqual([]);
    expect(existsSync(made)).toBe(false);
    expect(connections).toBe(0);
  } finally {
    child.kill("SIGKILL");
    server.close();
    rmSync(folder, { recursive: true });
  }
});

test("a script that answers with nothing ends its process, and not the service", async () => {
  const child = new ReviewerChildProcess(1_000_000_000, [], new URL("./kit/nothing-script.ts", import.meta.url));
  const document = { task: "read", content: new Uint8Array(), contentType: "image/png", names: [] } as const;
  await expect(child.run(document, 2_000)).rejects.toThrow(ReadingTimeout);
});
