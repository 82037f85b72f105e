import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Logger } from "@travel-booking/runtime";
import type { Isolation } from "./isolation.ts";

/** Megabytes of the JavaScript heap; the watchdog limits all memory. */
const MAX_HEAP_MB = 512;
/** Enough to downscale a page of eighty million pixels. */
const MAX_MEMORY_BYTES = 1_000_000_000;

/** npm may keep other versions of a package beside its user. */
const SOURCES = import.meta.dirname;
const OWN_MODULES = resolve(SOURCES, "../node_modules");
const require = createRequire(import.meta.url);
const MODULES = resolve(require.resolve("pdfjs-dist/package.json"), "../..");
const COMPARING_NAMES = dirname(require.resolve("@travel-booking/domain/compare-names"));
const MESSAGES = require.resolve("@travel-booking/runtime/messages");
const LOCKDOWN = new URL("./lockdown.ts", import.meta.url);
const PROGRAM = new URL("./child-main.ts", import.meta.url);
/** The number of its stream (`lockdown.ts`). */
const STREAM = 3;

export interface ReaderOptions {
  /** By `findIsolation`. */
  readonly isolation: Pick<Isolation, "programs">;
  readonly logger: Pick<Logger, "warn">;
  /** Limit for the whole process; its watchdog ends it beyond that. */
  readonly maxMemoryBytes?: number;
  /** Another module of this package, with its arguments. */
  readonly program?: URL;
  readonly args?: readonly string[];
}

/**
 * Starts a process that reads files of strangers, without our environment, and under Node's permission model: of files it
 * reads only this package, the libraries, how names are compared and how messages are written; it writes none and starts no
 * process, and no text becomes code. What Node has no permission for is closed by `lockdown.ts`, in each of its threads
 * (docs/decisions/0020-a-child-process-reads-documents.md). Answers the stream on which it is asked: it is killed when that
 * is closed, and so never outlives this process.
 * @throws Error it can't be started.
 */
export async function startReader(options: ReaderOptions): Promise<Duplex> {
  const { isolation, logger, maxMemoryBytes = MAX_MEMORY_BYTES, program = PROGRAM, args = [] } = options;
  const [first = process.execPath, ...others] = [
    ...isolation.programs,
    process.execPath,
    `--max-old-space-size=${MAX_HEAP_MB}`,
    "--disable-sigusr1",
    "--permission",
    ...[SOURCES, COMPARING_NAMES, MESSAGES, OWN_MODULES, MODULES].map((place) => `--allow-fs-read=${place}`),
    // Both picture libraries are native; text recognition and the watchdog have threads of their own.
    "--allow-addons",
    "--allow-worker",
    "--disallow-code-generation-from-strings",
    `--import=${LOCKDOWN}`,
    fileURLToPath(program),
    String(maxMemoryBytes),
    ...args,
  ];
  // Libraries may print parts of the document: nobody hears them.
  const child = spawn(first, others, { env: {}, stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const started = Promise.withResolvers<void>();
  child.once("spawn", started.resolve);
  child.on("error", started.reject);
  await started.promise;
  const stream = child.stdio[STREAM] as Duplex;
  let isClosedHere = false;
  stream.once("close", () => {
    isClosedHere = !stream.readableEnded && stream.errored === null;
    child.kill("SIGKILL");
  });
  child.once("exit", (code, signal) => {
    if (!isClosedHere)
      logger.warn({ code, signal }, "a process that reads documents has ended; another one is started on demand");
    stream.destroy();
  });
  return stream;
}
