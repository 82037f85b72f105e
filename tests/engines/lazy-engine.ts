export interface Startable {
  stop(): Promise<void>;
}

/** Can be handed around before its engine is started, and is used as that engine afterwards. */
export function lazyEngine(name: string, started: ReadonlyMap<string, Startable>): Startable {
  return new Proxy({} as Startable, {
    get(_, property) {
      const engine = started.get(name);
      if (engine === undefined) throw new Error(`${name} runs only within the hooks and cases of its describeWith`);
      const value: unknown = Reflect.get(engine, property, engine);
      return typeof value === "function" ? value.bind(engine) : value;
    },
  });
}
