import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { serveTasks } from "../children/serve-tasks.ts";

/** An answer to repeat: its own headers and its body. */
export interface SameBytes {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Express 5 that answers every GET with the same bytes from memory. Answers its port. */
serveTasks(async ({ headers, body }: SameBytes): Promise<number> => {
  const bytes = Buffer.from(body);
  const app = express();
  app.disable("x-powered-by");
  app.get("/", (_request, response) => {
    response.set(headers).end(bytes);
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
});
