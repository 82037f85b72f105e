import { resolve } from "node:path";

/** Halves the time a start takes. Only a process that ends by itself adds to it. */
const COMPILE_CACHE = resolve(import.meta.dirname, "../../node_modules/.cache/compiled");

/** For services and tools in processes of their own: without what a test run sets for itself. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, TEST_PROFILE: __, ...rest } = process.env;
  return { ...rest, NODE_COMPILE_CACHE: COMPILE_CACHE };
}
