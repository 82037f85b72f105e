import { dueTaskChanges, type Saga, type Step, sagaOf } from "../../src/index.ts";

export interface Play {
  /** What the saga asked for: commands and reads by stream, calls by port, fault points by name. */
  readonly steps: readonly unknown[];
  readonly result: unknown;
}

/** Runs a saga on these answers to its commands, reads and calls; an `Error` among them is thrown into it. */
export function play(saga: Saga<unknown>, ...answers: readonly unknown[]): Play {
  const steps: unknown[] = [];
  const left = [...answers];
  let next = saga.next();
  while (!next.done) {
    steps.push(shown(next.value));
    const answer = next.value.type === "faultPoint" ? undefined : left.shift();
    next = answer instanceof Error ? saga.throw(answer) : saga.next(answer);
  }
  return { steps, result: next.value };
}

function shown(step: Step): unknown {
  if (step.type === "faultPoint") return step.name;
  if (step.type === "call") return [step.port, ...step.args];
  const stream = `${step.category}-${step.id}`;
  if (step.type === "readState") return [stream];
  return [stream, typeof step.command === "function" ? step.command("cmd") : step.command];
}

/** Outcomes of commands. */
export const accepted = (reply?: unknown) => ({ accepted: true, reply });
export const rejected = (code: string) => ({ accepted: false, rejection: { code } });

/** What an event of this stream, decided at 0 for account A, opens and closes. */
export function changesOf(stream: string, type: string, data: object) {
  const id = stream.slice(stream.indexOf("-") + 1);
  const { opened, closed } = dueTaskChanges({ type, at: 0, data }, id, { accountId: "A" });
  return { opened: opened.map(({ key, task }) => [key, task]), closed };
}

/** Runs the one task that an event opens. */
export function playOpened(stream: string, type: string, data: object, ...answers: readonly unknown[]): Play {
  const id = stream.slice(stream.indexOf("-") + 1);
  const { opened } = dueTaskChanges({ type, at: 0, data }, id, { accountId: "A" });
  if (opened.length !== 1 || opened[0] === undefined) throw new Error(`${type} opens ${opened.length} tasks`);
  return play(sagaOf(opened[0].task), ...answers);
}
