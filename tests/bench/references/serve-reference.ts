import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import { serveTasks } from "../children/serve-tasks.ts";

/** Runs in a child: the first task starts the server; the answer is its port. */
export function serveReference(app: Express): void {
  serveTasks(() => portOf(app));
}

/** Starts the server on a free port. */
export async function portOf(app: Express): Promise<number> {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
