import { ATTACKS } from "../../attacks/kit/attacks.ts";
import type { Target } from "../../attacks/kit/crowd.ts";
import { until } from "../../support/until.ts";
import { serveTasks } from "../children/serve-tasks.ts";

export interface AttackTask {
  /** A key of `ATTACKS`. */
  readonly name: string;
  readonly target: Target;
}

/** Begins an attack and answers once somebody is connected; it goes on until this process ends. */
serveTasks(async ({ name, target }: AttackTask): Promise<void> => {
  const crowd = ATTACKS[name]?.(target);
  if (crowd === undefined) throw new Error(`there is no attack by ${name}`);
  await until(async () => crowd.opened > 0);
});
