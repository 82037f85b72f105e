import path from "node:path";
import { freePort } from "../processes/free-port.ts";
import { newFolder } from "../processes/new-folder.ts";
import { ServerProcess } from "../processes/server-process.ts";
import type { DoubleControl } from "./control/control.ts";
import { remoteControl } from "./control/remote-control.ts";

const MAIN = path.join(import.meta.dirname, "main.ts");

export interface EventStoreDoubleOptions {
  /** Links every event into its category's stream, as the projection `$by_category` does; true unless told. */
  readonly projections?: boolean;
  /** "Server Is Not Ready" for so long after each start; 0 unless told. */
  readonly notReadyMs?: number;
  /** After which an append is timed out that repeats one under way; 2,000 unless told. */
  readonly writeTimeoutMs?: number;
  /** In bytes; 1,048,576 unless told. */
  readonly maxAppendSize?: number;
  /** Nodes with one log; 1 unless told. Each does what it is told by `nodes`. */
  readonly nodes?: number;
}

export interface DoubleNode {
  /** Host and port. */
  readonly address: string;
  readonly faults: DoubleControl;
}

/** A double that runs in a process of its own. */
export interface EventStoreDouble {
  /** Of all its nodes. */
  readonly url: string;
  readonly dataDir: string;
  /** What its first node can be told to do wrong; gone after a restart. */
  readonly faults: DoubleControl;
  readonly nodes: readonly DoubleNode[];
  readonly pid: number | undefined;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
  /** SIGKILL. What it acknowledged is stored. */
  kill(): Promise<void>;
  /** Starts it again, killing it first where it runs: same url, same data. */
  restart(): Promise<void>;
}

export async function startEventStoreDouble(options: EventStoreDoubleOptions = {}): Promise<EventStoreDouble> {
  const dataDir = newFolder("eventstoredb");
  const ports: { readonly port: number; readonly control: number }[] = [];
  for (let node = 0; node < (options.nodes ?? 1); node += 1) {
    ports.push({ port: await freePort(), control: await freePort() });
  }
  const settings = {
    data: dataDir,
    "not-ready-ms": options.notReadyMs ?? 0,
    "write-timeout-ms": options.writeTimeoutMs ?? 2_000,
    "max-append-size": options.maxAppendSize ?? 1_048_576,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  for (const { port, control } of ports) args.push("--port", String(port), "--control-port", String(control));
  if (options.projections === false) args.push("--without-projections");
  const server = await ServerProcess.start({
    command: process.execPath,
    args: [MAIN, ...args],
    folder: dataDir,
    ready: /"url"/,
  });
  const nodes = ports.map(({ port, control }) => ({ address: `127.0.0.1:${port}`, faults: remoteControl(control) }));
  const [{ faults }] = nodes as [DoubleNode];
  return {
    url: `esdb://${nodes.map(({ address }) => address).join(",")}?tls=false`,
    dataDir,
    faults,
    nodes,
    get pid() {
      return server.pid;
    },
    stop: () => server.stop(),
    kill: () => server.kill(),
    restart: () => server.restart(),
  };
}
