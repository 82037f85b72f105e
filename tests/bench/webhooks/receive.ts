import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveTasks } from "../children/serve-tasks.ts";
import type { ReceiveTask } from "./tasks.ts";

let posts = 0;
const server = createServer((request, response) => {
  posts += 1;
  request.resume();
  request.once("end", () => response.writeHead(204).end());
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

/** Takes whatever is posted; answers where it listens, or how many came. */
serveTasks(
  async (task: { readonly ask: ReceiveTask }): Promise<string | number> => (task.ask === "where" ? origin : posts),
);
