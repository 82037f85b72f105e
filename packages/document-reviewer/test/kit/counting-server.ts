import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** Listens on this machine and counts connections. */
export async function countingServer() {
  let connections = 0;
  const server = createServer(() => {
    connections += 1;
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    close: () => server.close(),
  };
}
