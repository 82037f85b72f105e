import { describe } from "@jest/globals";
import { titleOfSkipped } from "../../engines/title-of-skipped.ts";
import { proxyMissing } from "./proxy.ts";

/** A describe that needs nginx. Where there is none its cases are skipped, and the end of the run tells why. */
export function describeProxy(title: string, cases: () => void): void {
  const reason = proxyMissing();
  if (reason === undefined) describe(title, cases);
  else describe.skip(titleOfSkipped(title, reason), cases);
}
