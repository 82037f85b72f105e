import { expect, test } from "@jest/globals";
import { PrinterBusy } from "../src/failures.ts";
import { Turns } from "../src/turns.ts";

/** Tasks that end on command. */
function taskList(turns: Turns) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (account: string, name: string) =>
    turns.run(account, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  /** Ends a task, and lets the next ones begin. */
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, run, end };
}

test("two tasks at once, one of an account; accounts take turns, however many tasks one has", async () => {
  const { started, run, end } = taskList(new Turns({ maxConcurrent: 2, maxWaiting: 10, maxWaitingOfAccount: 5 }));
  const tasks = ["a1", "a2", "a3", "b1", "b2", "c1"].map((name) => run(name.slice(0, 1), name));
  await end("");
  expect(started).toStrictEqual(["a1", "b1"]);
  await end("a1");
  expect(started).toStrictEqual(["a1", "b1", "a2"]);
  await end("a2");
  // A's third task was requested earlier, but B has one running.
  expect(started).toStrictEqual(["a1", "b1", "a2", "c1"]);
  await end("b1");
  expect(started).toStrictEqual(["a1", "b1", "a2", "c1", "b2"]);
  await end("c1");
  expect(started).toStrictEqual(["a1", "b1", "a2", "c1", "b2", "a3"]);
  await Promise.all([end("a3"), end("b2")]);
  expect(await Promise.all(tasks)).toStrictEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
});

test("so many may wait, and of one account fewer; what is refused takes no place, what fails gives its turn back", async () => {
  const turns = new Turns({ maxConcurrent: 1, maxWaiting: 3, maxWaitingOfAccount: 2 });
  const { started, run, end } = taskList(turns);
  const failing = Promise.withResolvers<never>();
  const first = turns.run("a", () => failing.promise);
  const accepted = [run("a", "a1"), run("a", "a2")];
  await expect(run("a", "a3")).rejects.toThrow(PrinterBusy);
  accepted.push(run("b", "b1"));
  await expect(run("c", "c1")).rejects.toThrow(PrinterBusy);
  failing.reject(new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  await end("");
  for (const name of ["a1", "b1", "a2"]) {
    expect(started.at(-1)).toBe(name);
    await end(name);
  }
  expect(await Promise.all(accepted)).toStrictEqual(["a1", "a2", "b1"]);
  const again = run("c", "c1");
  await end("");
  await end("c1");
  expect(await again).toBe("c1");
});
