import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveTasks } from "../children/serve-tasks.ts";
import { type ReceiveTask, timestampNow } from "./tasks.ts";

/** When each event came, once for each endpoint it was sent to. */
let came: [eventId: string, moment: number][] = [];
let posts = 0;

const server = createServer((request, response) => {
  const eventId = request.headers["webhook-id"];
  if (request.url === "/timed" && typeof eventId === "string") came.push([eventId, timestampNow()]);
  posts += 1;
  request.resume();
  request.once("end", () => response.writeHead(204).end());
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

/** Takes whatever is posted; answers where it listens, how many came, or what came to `/timed` since it was asked last. */
serveTasks(async (task: { readonly ask: ReceiveTask }): Promise<string | number | typeof came> => {
  if (task.ask === "where") return origin;
  if (task.ask === "how many") return posts;
  const answer = came;
  came = [];
  return answer;
});
