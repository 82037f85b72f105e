import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveTasks } from "../children/serve-tasks.ts";

/** Takes whatever is posted; answers where it listens. */
serveTasks(async (): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => response.writeHead(204).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
