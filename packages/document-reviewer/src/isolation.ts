import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A way to start another program isolated from the rest of the machine. */
export interface Isolation {
  /** Programs that start it, with their arguments; none: it is not isolated. */
  readonly programs: readonly string[];
  /** The resources it still shares with the service, in words; undefined: none. */
  readonly shared: string | undefined;
}

/** From util-linux. The program is killed when its starter ends, even in a namespace where it can't see the starter. */
const BOUND = ["/usr/bin/setpriv", "--no-new-privs", "--pdeathsig=KILL"];
/** Linux's user and group without any rights. */
const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];
/** No network, not even that of this machine (network_namespaces(7)). */
const NO_NETWORK = ["/usr/bin/unshare", "--net"];
/** Process ids of its own, so that it can signal no others (pid_namespaces(7)); if possible its own `/proc`, too. */
const OWN_PIDS = ["--pid", "--fork", "--kill-child=KILL"];
const PIDS = [[...OWN_PIDS, "--mount-proc"], OWN_PIDS, []];
/** Runs above Node, because the first process of a namespace could not end itself. */
const FIRST_PROCESS = ["/bin/sh", "-c", '"$@"; exit $?', "sh"];

/**
 * The best way first. Containers and some distributions forbid user namespaces, although these give no rights outside
 * (user_namespaces(7)). Only root may change to another user.
 */
function ways(isRoot: boolean): readonly Isolation[] {
  const sameUser = (pids: readonly string[]) => [...BOUND, "--", ...NO_NETWORK, "--user", ...pids, "--"];
  const asNobody = (pids: readonly string[]) => [...BOUND, ...NOBODY, "--", ...NO_NETWORK, "--user", ...pids, "--"];
  const byRoot = (pids: readonly string[]) => [...BOUND, "--", ...NO_NETWORK, ...pids, "--", ...BOUND, ...NOBODY, "--"];
  return (isRoot ? [asNobody, byRoot, sameUser] : [sameUser]).flatMap((way) =>
    PIDS.map((pids) => ({
      programs: [...way(pids), ...(pids.length > 0 ? FIRST_PROCESS : [])],
      shared: inWords([isRoot && way === sameUser && "user", pids.length === 0 && "process ids"]),
    })),
  );
}

function inWords(parts: readonly (string | false)[]): string | undefined {
  const shared = parts.filter((part) => part !== false);
  return shared.length === 0 ? undefined : shared.join(" and ");
}

/** Real time. A way that takes longer does not count. */
const TRY_MS = 5_000;
/** Tests whether the other program may read this file, and run Node. */
const TRY = ["/bin/sh", "-c", 'test -r "$1" && exec "$2" --version', "try", import.meta.filename, process.execPath];

/** The best way that works here, found by trying. */
export async function findIsolation(): Promise<Isolation> {
  const isLinux = process.platform === "linux";
  for (const way of isLinux ? ways(process.getuid?.() === 0) : []) {
    const [program = "", ...args] = [...way.programs, ...TRY];
    const works = await promisify(execFile)(program, args, { env: {}, timeout: TRY_MS }).then(
      () => true,
      () => false,
    );
    if (works) return way;
  }
  return { programs: [], shared: "user, network and process ids" };
}
