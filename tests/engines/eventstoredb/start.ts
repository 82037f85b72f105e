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
}

/** A double that runs in a process of its own. */
export interface EventStoreDouble {
  readonly url: string;
  readonly dataDir: string;
  /** What it can be told to do wrong; gone after a restart. */
  readonly faults: DoubleControl;
  readonly pid: number | undefined;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
  /** SIGKILL. What it acknowledged is stored. */
  kill(): Promise<void>;
  /** Starts it again, killing it first where it runs: same url, same data. */
  restart(): Promise<void>;
}

export async function startEventStoreDouble(options: EventStoreDoubleOptions = {}): Promise<EventStoreDouble> {
  const [port, controlPort, dataDir] = [await freePort(), await freePort(), newFolder("eventstoredb")];
  const settings = {
    data: dataDir,
    port,
    "control-port": controlPort,
    "not-ready-ms": options.notReadyMs ?? 0,
    "write-timeout-ms": options.writeTimeoutMs ?? 2_000,
    "max-append-size": options.maxAppendSize ?? 1_048_576,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  if (options.projections === false) args.push("--without-projections");
  const server = await ServerProcess.start({
    command: process.execPath,
    args: [MAIN, ...args],
    folder: dataDir,
    ready: /"url"/,
  });
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    dataDir,
    faults: remoteControl(controlPort),
    get pid() {
      return server.pid;
    },
    stop: () => server.stop(),
    kill: () => server.kill(),
    restart: () => server.restart(),
  };
}
