import module from "node:module";
import { fileURLToPath } from "node:url";

// Keeps what Node compiles, types stripped, for the next start. Node finds stale files by a hash of each source, and goes
// on without a cache where the folder can't be written. The variable hands it on to threads and child processes. An empty
// one counts as not set: Node would write into the working folder.
process.env.NODE_COMPILE_CACHE ||= fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
