import { parseArgs } from "node:util";
import { localControl } from "./control/local-control.ts";
import { serveControl } from "./control/serve-control.ts";
import { EventStoreDbDouble } from "./double.ts";
import { serve } from "./grpc/server.ts";

/*
 * A server for tests that speaks EventStoreDB's protocol to its official client, and behaves as real servers were
 * observed to where the client can tell. It is no EventStoreDB: see the README beside this file.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string" },
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", multiple: true, default: ["0"] },
    "control-port": { type: "string", multiple: true, default: [] },
    "without-projections": { type: "boolean", default: false },
    "not-ready-ms": { type: "string", default: "0" },
    "write-timeout-ms": { type: "string", default: "2000" },
    "max-append-size": { type: "string", default: "1048576" },
  },
});
if (values.data === undefined) throw new Error("--data is missing: the folder for what is stored");

const double = await EventStoreDbDouble.open({
  data: values.data,
  projections: !values["without-projections"],
  writeTimeoutMs: Number(values["write-timeout-ms"]),
  maxAppendSize: Number(values["max-append-size"]),
});
double.faults.notReady(Number(values["not-ready-ms"]));
// Several ports are the nodes of a cluster.
const nodes = values.port.map((_, index) => (index === 0 ? double : double.another()));
const serving = await Promise.all(nodes.map((node, index) => serve(node, values.host, Number(values.port[index]))));
await Promise.all(
  values["control-port"].map(async (port, index) => {
    const node = nodes[index];
    if (node !== undefined) await serveControl(localControl(node), Number(port));
  }),
);

process.once("SIGTERM", async () => {
  await Promise.all(serving.map((node) => node.stop()));
  await double.log.close();
  process.exit(0);
});

const hosts = serving.map(({ port }) => `${values.host}:${port}`);
process.stdout.write(`${JSON.stringify({ url: `esdb://${hosts.join(",")}?tls=false` })}\n`);
