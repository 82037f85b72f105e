import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Programs that start another one apart from the rest of the machine, with their arguments; none: it is not apart. */
export type Isolation = readonly string[];

/** Of Linux: nobody in particular. */
const NOBODY = "65534";
const AS_NOBODY = ["/usr/bin/setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];
/** Rights over nothing outside, and no network, not even that of this machine (user_namespaces(7), network_namespaces(7)). */
const APART = ["/usr/bin/unshare", "--user", "--net", "--"];

/** The best first. Containers and some distributions allow nobody a namespace; only root may become somebody else. */
const WAYS: readonly Isolation[] = [[...AS_NOBODY, ...APART], APART, ["/usr/bin/unshare", "--net", "--", ...AS_NOBODY]];

/** Real time: a way that takes longer is none. */
const TRY_MS = 5_000;
/** Whether the other program may read this file, and run Node. */
const TRY = ["/bin/sh", "-c", 'test -r "$1" && exec "$2" --version', "try", import.meta.filename, process.execPath];

/** The way of util-linux that works here, tried out; empty where none does. */
export async function findIsolation(): Promise<Isolation> {
  if (process.platform !== "linux") return [];
  for (const way of WAYS) {
    const [program = "", ...args] = [...way, ...TRY];
    const works = await promisify(execFile)(program, args, { env: {}, timeout: TRY_MS }).then(
      () => true,
      () => false,
    );
    if (works) return way;
  }
  return [];
}
