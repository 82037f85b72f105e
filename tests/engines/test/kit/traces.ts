import fs from "node:fs";
import net from "node:net";
import { processesWith } from "./processes.ts";

/** What a server can leave behind. */
export interface ServerTraces {
  readonly port: number;
  /** Of the server, and of what sees to its end. */
  readonly pids: readonly number[];
  /** Undefined where the machine has no /proc to tell it. */
  readonly folder: string | undefined;
}

/** Of the server that listens on the port of this url. */
export function tracesOf(url: string): ServerTraces {
  const { port } = new URL(url);
  const servers = [...processesWith(`127.0.0.1:${port}`), ...processesWith(`--port ${port}`)];
  const [server] = servers;
  if (server === undefined) throw new Error(`no process of ours listens on ${port}`);
  const folder = workingFolder(server.pid);
  const related = folder === undefined ? [] : processesWith(folder);
  return { port: Number(port), pids: [...servers, ...related].map(({ pid }) => pid), folder };
}

/** What is still there of it, in words. */
export async function remainingTraces({ port, pids, folder }: ServerTraces): Promise<readonly string[]> {
  const running = new Set(processesWith("").map(({ pid }) => pid));
  return [
    ...pids.filter((pid) => running.has(pid)).map((pid) => `process ${pid}`),
    ...((await isListening(port)) ? [`port ${port}`] : []),
    ...(folder !== undefined && fs.existsSync(folder) ? [folder] : []),
  ];
}

/** Whether anybody accepts connections on this port of 127.0.0.1. */
export async function isListening(port: number): Promise<boolean> {
  const socket = net.connect(port, "127.0.0.1");
  try {
    return await new Promise((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}

function workingFolder(pid: number): string | undefined {
  return fs.existsSync("/proc") ? fs.readlinkSync(`/proc/${pid}/cwd`) : undefined;
}
