import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Logger } from "@travel-booking/runtime";
import type { Isolation } from "./isolation.ts";

/** Megabytes of the JavaScript heap. The watchdog limits all memory. */
const MAX_HEAP_MB = 512;
/** Enough to downscale a page of eighty million pixels. */
const MAX_MEMORY_BYTES = 1_000_000_000;

/** npm may keep another version of a package next to the package that uses it. */
const SOURCES = import.meta.dirname;
const OWN_MODULES = resolve(SOURCES, "../node_modules");
const require = createRequire(import.meta.url);
const MODULES = resolve(require.resolve("pdfjs-dist/package.json"), "../..");
const COMPARING_NAMES = dirname(require.resolve("@travel-booking/domain/compare-names"));
const MESSAGES = require.resolve("@travel-booking/runtime/messages");
const LOCKDOWN = new URL("./lockdown.ts", import.meta.url);
const PROGRAM = new URL("./child-main.ts", import.meta.url);
/** The file descriptor of its stream (`lockdown.ts`). */
const STREAM = 3;

export interface ReaderOptions {
  /** The result of `findIsolation`. */
  readonly isolation: Pick<Isolation, "programs">;
  readonly logger: Pick<Logger, "warn">;
  /** Memory limit of the whole process, above which its watchdog ends it. */
  readonly maxMemoryBytes?: number;
  /** Another module of this package, with its arguments. */
  readonly program?: URL;
  readonly args?: readonly string[];
}

/**
 * Starts a process that reads untrusted files, without our environment and under Node's permission model. The process
 * may read only this package, its libraries, and the modules that compare names and write messages. It writes no file,
 * starts no process, and runs no text as code. `lockdown.ts` closes, in each of its threads, what Node has no
 * permission for (docs/decisions/0020-a-child-process-reads-documents.md). Returns the stream for requests. The process
 * is killed when that is closed, so it never outlives this process.
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
    // Both picture libraries are native. Text recognition and the watchdog have threads of their own.
    "--allow-addons",
    "--allow-worker",
    "--disallow-code-generation-from-strings",
    `--import=${LOCKDOWN}`,
    fileURLToPath(program),
    String(maxMemoryBytes),
    ...args,
  ];
  // Output is discarded, because libraries may print parts of the document.
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
