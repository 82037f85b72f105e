import { spawnSync } from "node:child_process";
import type { User } from "../processes/server-process.ts";

/**
 * PostgreSQL does not run as root: root starts it as the user that Debian has made for it. Undefined: as whoever we
 * are; `nobody`: there is no such user.
 */
export function postgresUser(): User | "nobody" | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const uid = idOf("-u");
  const gid = idOf("-g");
  return uid === undefined || gid === undefined ? "nobody" : { uid, gid };
}

function idOf(what: "-u" | "-g"): number | undefined {
  const { status, stdout } = spawnSync("id", [what, "postgres"], { encoding: "utf8" });
  return status === 0 ? Number(stdout) : undefined;
}
