import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { findIsolation } from "../src/isolation.ts";

const isolation = await findIsolation();
const describeIsolated = isolation.length === 0 ? describe.skip : describe;

/** What Node finds out where nothing of its own holds it back. */
function runIsolated(script: string): string {
  const [program = "", ...args] = [...isolation, process.execPath, "--input-type=module", "--eval", script];
  return execFileSync(program, args, { env: {}, encoding: "utf8" }).trim();
}

describeIsolated("a process that the operating system keeps apart", () => {
  test("reaches nothing of this machine's network", async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1;
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const script = `import net from "node:net";
      net.connect(${port}, "127.0.0.1").on("connect", () => console.log("reached")).on("error", ({ code }) => console.log(code));`;
    try {
      expect(runIsolated(script)).toBe("ENETUNREACH");
      expect(connections).toBe(0);
    } finally {
      server.close();
    }
  });

  const testAsRoot = process.getuid?.() === 0 ? test : test.skip;
  testAsRoot("is another user where the service is root: it reads no secret and signals nobody", () => {
    const folder = mkdtempSync(join(tmpdir(), "isolation-"));
    const secret = join(folder, "secret");
    writeFileSync(secret, "s3cret", { mode: 0o600 });
    const attempt = (code: string) => `try { ${code}; console.log("done") } catch ({ code }) { console.log(code) }`;
    try {
      const script = `import fs from "node:fs"; ${attempt(`fs.readFileSync(${JSON.stringify(secret)})`)}; ${attempt(`process.kill(${process.pid}, 0)`)}`;
      expect(runIsolated(script).split("\n")).toStrictEqual(["EACCES", "EPERM"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
