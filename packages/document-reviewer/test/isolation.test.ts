import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { findIsolation } from "../src/isolation.ts";
import { countingServer } from "./kit/counting-server.ts";

const { programs, shared } = await findIsolation();
const describeIsolated = programs.length === 0 ? describe.skip : describe;

/** The output of a script in Node without permissions or lockdown, so that only the isolation holds it back. */
function runIsolated(script: string): string {
  const [program = "", ...args] = [...programs, process.execPath, "--input-type=module", "--eval", script];
  return execFileSync(program, args, { env: {}, encoding: "utf8" }).trim();
}

const attempt = (code: string) => `try { ${code}; console.log("done") } catch ({ code }) { console.log(code) }`;

describeIsolated("a process that the operating system keeps apart", () => {
  test("reaches nothing of this machine's network", async () => {
    const server = await countingServer();
    const script = `import net from "node:net";
      net.connect(${server.port}, "127.0.0.1").on("connect", () => console.log("reached")).on("error", ({ code }) => console.log(code));`;
    try {
      expect(runIsolated(script)).toBe("ENETUNREACH");
      expect(server.connections).toBe(0);
    } finally {
      server.close();
    }
  });

  const testAsRoot = process.getuid?.() === 0 ? test : test.skip;
  testAsRoot("is another user where the service is root: it reads no secret", () => {
    const folder = mkdtempSync(join(tmpdir(), "isolation-"));
    const secret = join(folder, "secret");
    writeFileSync(secret, "s3cret", { mode: 0o600 });
    try {
      const script = `import fs from "node:fs"; ${attempt(`fs.readFileSync(${JSON.stringify(secret)})`)}`;
      expect(runIsolated(script)).toBe("EACCES");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const testWithPids = shared === undefined ? test : test.skip;
  testWithPids("has process ids of its own: it signals nobody, and sees nobody", () => {
    const script = `import fs from "node:fs"; ${attempt(`process.kill(${process.pid}, 0)`)}; ${attempt(`fs.readFileSync("/proc/${process.pid}/environ")`)}
      console.log(process.pid, process.ppid)`;
    const [signalled, looked, ids] = runIsolated(script).split("\n");
    expect([signalled, ids]).toStrictEqual(["ESRCH", "2 1"]);
    expect(["ENOENT", "EACCES"]).toContain(looked);
  });

  testWithPids("ends with whoever started it, whatever it is doing", () => {
    // Anything it wrote afterwards would be seen, because the pipe is read to its end.
    const starting = `const { spawn } = require("node:child_process");
      const child = spawn(${JSON.stringify(programs[0])}, ${JSON.stringify([...programs.slice(1), process.execPath, "--eval", 'console.log("up"); for (;;);'])}, { env: {}, stdio: ["ignore", "pipe", "inherit"] });
      child.stdout.once("data", () => process.kill(process.pid, "SIGKILL"));`;
    const { status, signal } = spawnSync(process.execPath, ["--eval", starting], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    expect([status, signal]).toStrictEqual([null, "SIGKILL"]);
  });
});
