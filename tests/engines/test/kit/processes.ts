import { execFileSync } from "node:child_process";

/** Process ids and command lines of everything that runs and has this in its command line; zombies are over. */
export function processesWith(text: string): readonly { readonly pid: number; readonly line: string }[] {
  return execFileSync("ps", ["-eo", "pid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [])
    .filter(([, , state = "Z", line = ""]) => !state.startsWith("Z") && line.includes(text))
    .map(([, pid, , line = ""]) => ({ pid: Number(pid), line }));
}
