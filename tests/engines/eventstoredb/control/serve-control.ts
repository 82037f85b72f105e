import { once } from "node:events";
import http from "node:http";
import { json } from "node:stream/consumers";
import type { DoubleControl } from "./control.ts";

/** `POST /<name of a function>` with its arguments as a JSON array; answers with its result. */
export async function serveControl(control: DoubleControl, port: number): Promise<void> {
  const functions = control as unknown as Record<string, (...parameters: unknown[]) => Promise<unknown>>;
  const server = http.createServer(async (request, response) => {
    const called = functions[request.url?.slice(1) ?? ""];
    const result = await called?.(...((await json(request)) as unknown[]));
    response.writeHead(called === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(result ?? null));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}
