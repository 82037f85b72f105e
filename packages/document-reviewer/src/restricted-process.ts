import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type { Isolation } from "./isolation.ts";

/** Megabytes of the JavaScript heap; the watchdog limits all memory. */
const MAX_HEAP_MB = 512;

/** npm may keep other versions of a package beside its user. */
const SOURCES = import.meta.dirname;
const OWN_MODULES = resolve(SOURCES, "../node_modules");
const require = createRequire(import.meta.url);
const MODULES = resolve(require.resolve("pdfjs-dist/package.json"), "../..");
const COMPARING_NAMES = dirname(require.resolve("@travel-booking/domain/compare-names"));
const LOCKDOWN = new URL("./lockdown.ts", import.meta.url);

/**
 * Starts a process that reads files of strangers, under Node's permission model: of files it reads only this package,
 * the libraries and how names are compared, it writes none and starts no process, and no text becomes code. What Node has no permission for is
 * closed by `lockdown.ts`, in each of its threads
 * (docs/decisions/0020-a-child-process-reads-documents.md).
 * @param entry a module of this package.
 * @param isolation starts Node, and then is Node: the process has one id.
 */
export function forkRestricted(entry: URL, args: readonly string[], isolation: Isolation): ChildProcess {
  const [program = process.execPath, ...before] = [...isolation, process.execPath];
  return fork(entry, args, {
    execPath: program,
    execArgv: [
      ...before,
      `--max-old-space-size=${MAX_HEAP_MB}`,
      "--disable-sigusr1",
      "--permission",
      ...[SOURCES, COMPARING_NAMES, OWN_MODULES, MODULES].map((folder) => `--allow-fs-read=${folder}`),
      // Both picture libraries are native; text recognition and the watchdog have threads of their own.
      "--allow-addons",
      "--allow-worker",
      "--disallow-code-generation-from-strings",
      `--import=${LOCKDOWN}`,
    ],
    env: {},
    serialization: "advanced",
    // Libraries may print parts of the document.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}
