import { expect } from "@jest/globals";
import type { Ended } from "../../support/service.ts";
import { Service, type ServiceOptions } from "../../support/service.ts";

/** Starts a service that is not to start: one line on standard error, nothing on standard output, exit code 1. */
export async function failedStart(options: ServiceOptions): Promise<string> {
  return oneLine(await Service.spawn(options).ended);
}

export function oneLine({ code, signal, stdout, stderr }: Ended): string {
  expect({ code, signal, stdout, lines: stderr.trimEnd().split("\n").length, stderr }).toStrictEqual({
    code: 1,
    signal: null,
    stdout: "",
    lines: 1,
    stderr,
  });
  return stderr.trimEnd();
}
