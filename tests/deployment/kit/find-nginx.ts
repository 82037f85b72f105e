import { findCommand } from "../../engines/processes/find-command.ts";

/** Where administrators' programs are; not everybody's path leads there. */
const FURTHER_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"];

/** The nginx of this machine; undefined: it has none. */
export function findNginx(): string | undefined {
  return findCommand("nginx", FURTHER_FOLDERS);
}
