/** What the request thread of a service did: counts, which no machine changes. What a regular expression goes back over is not counted. */
export interface Work {
  /** How often a block of its JavaScript was run. */
  readonly blocks: number;
  /** What was looked at by functions of the platform that go through a text, and by regular expressions. */
  readonly characters: number;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** Counts the work of a service that was started with `--inspect`, through its inspector. */
export class WorkCounter {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (answer: never) => void>();
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { readonly id: number; readonly result: never };
      this.#answers.get(id)?.(result);
      this.#answers.delete(id);
    });
  }

  /** @param log what the service has written to stderr, which names the inspector's address. */
  static async attach(log: string): Promise<WorkCounter> {
    const address = /Debugger listening on (ws:\S+)/.exec(log)?.[1];
    if (address === undefined) throw new Error(`no inspector listens: ${log}`);
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    const counter = new WorkCounter(socket);
    await counter.#call("Runtime.evaluate", { expression: `(${countCharacters})()` });
    await counter.#call("Profiler.enable");
    await counter.#call("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    return counter;
  }

  /** What the service does while the task runs. */
  async during<Result>(task: () => Promise<Result>): Promise<{ readonly result: Result; readonly work: Work }> {
    await this.#take();
    const result = await task();
    return { result, work: await this.#take() };
  }

  async #take(): Promise<Work> {
    const expression = "const taken = charactersSeen; charactersSeen = 0; taken";
    const { result: seen } = await this.#call<{ result: { value: number } }>("Runtime.evaluate", {
      expression: `{${expression}}`,
    });
    const { result } = await this.#call<Coverage>("Profiler.takePreciseCoverage");
    let blocks = 0;
    for (const { url, functions } of result) {
      if (!url.startsWith("file:")) continue;
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    }
    return { blocks, characters: seen.value };
  }

  /** The regular expressions that a text of a thousand characters or more was given to. */
  async expressions(): Promise<readonly string[]> {
    const expression = "JSON.stringify(expressionsSeen)";
    const { result } = await this.#call<{ result: { value: string } }>("Runtime.evaluate", { expression });
    return JSON.parse(result.value) as string[];
  }

  close(): void {
    this.#socket.close();
  }

  #call<Result>(method: string, params: object = {}): Promise<Result> {
    this.#calls += 1;
    const id = this.#calls;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#answers.set(id, resolve as never));
  }
}

/** Runs in the service. Functions that look at a text as a whole say how long it is. */
function countCharacters(): void {
  const counting = globalThis as unknown as { charactersSeen: number; expressionsSeen: string[] };
  counting.charactersSeen = 0;
  counting.expressionsSeen = [];
  // biome-ignore lint/suspicious/noExplicitAny: any function of the platform.
  type Anything = any;
  function counted(
    object: Anything,
    names: readonly PropertyKey[],
    lengthOf: (self: Anything, result: Anything) => number,
  ) {
    for (const name of names) {
      const original = object[name];
      const value = function (this: Anything, ...args: readonly Anything[]) {
        const result = Reflect.apply(original, this, args);
        counting.charactersSeen += lengthOf(this, result);
        return result;
      };
      Object.defineProperty(object, name, { value, configurable: true, writable: true });
    }
  }
  const searching = ["includes", "indexOf", "lastIndexOf", "replaceAll", "split", "localeCompare"];
  const changing = [
    "normalize",
    "isWellFormed",
    "toWellFormed",
    "toUpperCase",
    "toLowerCase",
    "trim",
    "trimEnd",
    "trimStart",
  ];
  counted(String.prototype, [...searching, ...changing, Symbol.iterator], (text) => text.length);
  counted(String.prototype, ["padEnd", "padStart", "repeat"], (_, text) => text.length);
  counted(Array.prototype, ["includes", "indexOf", "lastIndexOf", "sort", "toSorted"], (array) => array.length);
  counted(JSON, ["stringify"], (_, text) => text?.length ?? 0);
  counted(Buffer.prototype, ["toString"], (_, text) => text.length);
  const { parse } = JSON;
  JSON.parse = (text, reviver) => {
    counting.charactersSeen += text.length;
    return parse(text, reviver);
  };
  const { exec } = RegExp.prototype;
  // Every use of an expression comes through here.
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    if (text.length >= 1_000 && !counting.expressionsSeen.includes(String(this)))
      counting.expressionsSeen.push(String(this));
    const match = Reflect.apply(exec, this, [text]) as RegExpExecArray | null;
    const to = match === null ? (this.sticky ? from + 1 : String(text).length) : match.index + match[0].length;
    counting.charactersSeen += Math.max(1, to - from);
    return match;
  };
}
