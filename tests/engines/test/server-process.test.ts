import fs from "node:fs";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { newFolder } from "../processes/new-folder.ts";
import { ServerProcess } from "../processes/server-process.ts";
import { processesWith } from "./kit/processes.ts";

let folder: string;
beforeEach(() => {
  folder = newFolder("test");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A server that is this shell script; its folder is in its command line. */
const shell = (script: string) => ({
  command: "/bin/sh",
  args: ["-c", script, folder],
  folder,
  ready: /^ready$/m,
});

test("runs in its folder, and leaves nothing in the end", async () => {
  const server = await ServerProcess.start(shell('pwd > where; echo ready >> where; exec tail -f "$0/where"'));
  expect(fs.readFileSync(`${folder}/where`, "utf8")).toBe(`${fs.realpathSync(folder)}\nready\n`);
  expect(processesWith(`tail -f ${folder}`).map(({ pid }) => pid)).toStrictEqual([server.pid]);
  await server.stop();
  expect(processesWith(folder)).toStrictEqual([]);
  expect(fs.existsSync(folder)).toBe(false);
});

test("is another process after a restart, in the same folder", async () => {
  const server = await ServerProcess.start(shell("echo started >> log; echo ready; exec sleep 1000"));
  const { pid } = server;
  await server.restart();
  expect(server.pid).not.toBe(pid);
  expect(fs.readFileSync(`${folder}/log`, "utf8")).toBe("started\nstarted\n");
  await server.kill();
  expect(server.pid).toBeUndefined();
  await server.restart();
  await server.stop();
  expect(fs.existsSync(folder)).toBe(false);
});

test("one that ends at once is told with what it wrote, and leaves nothing", async () => {
  await expect(ServerProcess.start(shell("echo no port left >&2; exit 3"))).rejects.toThrow(
    new Error("/bin/sh ended (3)\nno port left\n"),
  );
  expect(fs.existsSync(folder)).toBe(false);
});

test("one that is not there is told, and leaves nothing", async () => {
  const start = ServerProcess.start({ ...shell(""), command: "/nowhere/server" });
  await expect(start).rejects.toThrow(/^\/nowhere\/server ended \(127\)/);
  expect(fs.existsSync(folder)).toBe(false);
});

test("one that has something to tidy up may do so", async () => {
  const tidy = `${folder}.tidied`;
  const server = await ServerProcess.start({
    ...shell(`trap 'echo > ${tidy}; exit' QUIT; echo ready; while :; do sleep 0.01; done`),
    stopSignal: "QUIT",
  });
  await server.stop();
  expect(fs.existsSync(tidy)).toBe(true);
  fs.rmSync(tidy);
});

test("ends and leaves nothing also where nobody is left to sweep", async () => {
  const server = await ServerProcess.start(shell("echo ready; exec sleep 1000"));
  for (const { pid, line } of processesWith(folder)) if (line.includes("reap.sh")) process.kill(pid, "SIGKILL");
  await server.stop();
  expect(processesWith(folder)).toStrictEqual([]);
  expect(fs.existsSync(folder)).toBe(false);
});
