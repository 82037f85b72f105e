import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** How another program is started apart from the rest of the machine. */
export interface Isolation {
  /** Programs that start it, with their arguments; none: it is not apart. */
  readonly programs: readonly string[];
  /** Which of the service's it has all the same, in words; undefined: none. */
  readonly shared: string | undefined;
}

/** Of util-linux. It ends with whoever started it, whatever it is doing: in a namespace it sees nobody it could miss. */
const BOUND = ["/usr/bin/setpriv", "--no-new-privs", "--pdeathsig=KILL"];
/** Of Linux: nobody in particular. */
const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];
/** No network, not even that of this machine (network_namespaces(7)). */
const NO_NETWORK = ["/usr/bin/unshare", "--net"];
/** Process ids of its own, so that nobody else's can be signalled (pid_namespaces(7)); `/proc` of its own where that can be had. */
const OWN_PIDS = ["--pid", "--fork", "--kill-child=KILL"];
const PIDS = [[...OWN_PIDS, "--mount-proc"], OWN_PIDS, []];
/** Above Node, which as the first of a namespace could not end itself. */
const FIRST_PROCESS = ["/bin/sh", "-c", '"$@"; exit $?', "sh"];

/**
 * The best first. Containers and some distributions allow nobody a namespace of users, which gives rights over nothing outside
 * (user_namespaces(7)); only root may become somebody else.
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

/** Real time: a way that takes longer is none. */
const TRY_MS = 5_000;
/** Whether the other program may read this file, and run Node. */
const TRY = ["/bin/sh", "-c", 'test -r "$1" && exec "$2" --version', "try", import.meta.filename, process.execPath];

/** The best way that works here, tried out. */
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
