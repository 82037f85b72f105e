import { expect } from "@jest/globals";
import type { ServiceExit } from "../../support/service.ts";
import { Service, type ServiceOptions } from "../../support/service.ts";

/** Starts a service that is not to start: one line on standard error, nothing on standard output, exit code 1. */
export async function expectStartFailure(options: ServiceOptions): Promise<string> {
  return expectOneLine(await Service.spawn(options).ended);
}

export function expectOneLine({ code, signal, stdout, stderr }: ServiceExit): string {
  expect({ code, signal, stdout, lines: stderr.trimEnd().split("\n").length, stderr }).toStrictEqual({
    code: 1,
    signal: null,
    stdout: "",
    lines: 1,
    stderr,
  });
  return stderr.trimEnd();
}
