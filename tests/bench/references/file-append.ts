import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { serveTasks } from "../children/serve-tasks.ts";
import { EVENT_BYTES } from "../data/sized-event.ts";
import { type AppendTask, repeatFor, type TaskResult, timed } from "../store/tasks.ts";

/**
 * "(d)": events of a fixed size appended to a file. What arrives while one flush is under way shares the next:
 * one write and one fdatasync for all of them.
 */
class GroupCommittedFile {
  readonly #descriptor: number;
  #waiting: { readonly bytes: Buffer; readonly resolve: () => void }[] = [];
  #flushing = false;

  constructor(file: string) {
    this.#descriptor = fs.openSync(file, "a");
  }

  append(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ bytes, resolve });
      if (!this.#flushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await write(this.#descriptor, Buffer.concat(group.map(({ bytes }) => bytes)));
      await sync(this.#descriptor);
      for (const { resolve } of group) resolve();
    }
    this.#flushing = false;
  }
}

const write = promisify(fs.write) as (descriptor: number, bytes: Buffer) => Promise<unknown>;
const sync = promisify(fs.fdatasync);

serveTasks(({ folder, ...load }: AppendTask): Promise<TaskResult> => {
  const file = new GroupCommittedFile(path.join(folder, "events"));
  const event = Buffer.alloc(EVENT_BYTES, "e");
  return timed(() => repeatFor(load, () => file.append(event)));
});
