import { spawnSync } from "node:child_process";

/** Carries the answer into every test process: it is asked for once a run. */
const VARIABLE = "TEST_DOCKER";
const ANSWERS_WITHIN_MS = 5_000;

/** Why there can be no container. Undefined: a Docker engine answers. */
export function dockerMissingReason(): string | undefined {
  process.env[VARIABLE] ??= answers() ? "answers" : "is silent";
  return process.env[VARIABLE] === "answers" ? undefined : "no Docker engine answers";
}

function answers(): boolean {
  const { status } = spawnSync("docker", ["info", "--format", "{{.ServerVersion}}"], {
    stdio: "ignore",
    timeout: ANSWERS_WITHIN_MS,
  });
  return status === 0;
}
