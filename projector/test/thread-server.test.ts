import { EventEmitter, once } from "node:events";
import { expect, test } from "@jest/globals";
import { LocalProgress } from "../src/local-progress.ts";
import { type ProjectorMessage, serveProjector } from "../src/thread-server.ts";

/** The other end of a port, which keeps what it gets. */
class Port extends EventEmitter {
  readonly messages: ProjectorMessage[] = [];

  postMessage(message: ProjectorMessage): void {
    this.messages.push(message);
    this.emit("sent");
  }
}

test("no answer overtakes the positions that are in force by then", async () => {
  const port = new Port();
  const progress = new LocalProgress();
  const projector = {
    progress,
    start: async () => undefined,
    stop: async () => undefined,
    async list() {
      progress.advance([["fleet", 7n]]);
      return [];
    },
  };
  await serveProjector(
    port,
    () => projector as never,
    async () => undefined,
  );
  port.messages.length = 0;
  port.emit("message", { id: 1, verb: "list" });
  await once(port, "sent");
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(port.messages).toStrictEqual([
    { kind: "positions", positions: [["fleet", 7n]] },
    { kind: "outcome", id: 1, outcome: { result: [] } },
  ]);
});
