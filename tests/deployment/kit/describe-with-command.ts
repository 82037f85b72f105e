import { describe } from "@jest/globals";
import { findCommand } from "../../engines/processes/find-command.ts";
import { titleOfSkipped } from "../../engines/title-of-skipped.ts";

/** A describe that needs a program of this machine. Without it its cases are skipped, and the end of the run tells why. */
export function describeWithCommand(name: string, title: string, cases: (command: string) => void): void {
  const command = findCommand(name);
  if (command === undefined) describe.skip(titleOfSkipped(title, `${name} is not here`), () => cases(name));
  else describe(title, () => cases(command));
}
