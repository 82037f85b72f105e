import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** Ports of 127.0.0.1 that were free a moment ago, all different. For what has to keep its port over a restart. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) {
    server.close();
    await once(server, "close");
  }
  return ports;
}
