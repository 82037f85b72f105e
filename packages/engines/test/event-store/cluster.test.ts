import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { Cluster } from "../../src/event-store/eventstoredb/cluster.ts";
import { parseAddress } from "../../src/event-store/eventstoredb/connection-string.ts";

test("that nobody leads counts for a moment: those who wait for a leader don't ask the nodes each time", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const closing = new AbortController();
  const cluster = new Cluster(parseAddress(`esdb+discover://127.0.0.1:${port}?tls=false`), closing.signal);
  let refusals = 0;
  const refused = () => {
    refusals += 1;
  };
  while (refusals < 1_000) await cluster.node().catch(refused);
  closing.abort();
  server.close();
  expect(connections).toBeLessThan(100);
});
