import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveTasks } from "../children/serve-tasks.ts";
import type { Misbehaviour } from "./tasks.ts";

const SLOW_MS = 2_000;

type Behaviour = (response: ServerResponse) => void;

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  "/fails": (response) => response.writeHead(Math.random() < 0.3 ? 500 : 204).end(),
  "/slow": (response) => void setTimeout(() => response.writeHead(204).end(), SLOW_MS),
  "/never": () => undefined,
  "/closes": (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("x", () => response.destroy());
  },
};

const server = createServer((request, response) => {
  request.resume();
  request.once("end", () => BEHAVIOURS[request.url ?? ""]?.(response));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
// A port nobody listens on any more.
const closed = createServer().listen(0, "127.0.0.1");
await once(closed, "listening");
const { port: closedPort } = closed.address() as AddressInfo;
closed.close();

/** Answers where each kind of bad receiver is. */
serveTasks(
  async (): Promise<Readonly<Record<Misbehaviour, string>>> => ({
    "fails three in ten": `http://127.0.0.1:${port}/fails`,
    "is down": `http://127.0.0.1:${closedPort}/`,
    "is slow": `http://127.0.0.1:${port}/slow`,
    "never answers": `http://127.0.0.1:${port}/never`,
    "closes mid-answer": `http://127.0.0.1:${port}/closes`,
  }),
);
