import type { DoubleControl } from "./control.ts";

/** The control of a double in another process. */
export function remoteControl(port: number): DoubleControl {
  const call =
    (name: string) =>
    async (...parameters: unknown[]): Promise<never> => {
      const response = await fetch(`http://127.0.0.1:${port}/${name}`, {
        method: "POST",
        body: JSON.stringify(parameters),
      });
      if (!response.ok) throw new Error(`the double does not know ${name}`);
      return (await response.json()) as never;
    };
  return {
    reset: call("reset"),
    onAppends: call("onAppends"),
    release: call("release"),
    notReady: call("notReady"),
    loseLeader: call("loseLeader"),
    followLeader: call("followLeader"),
    seeMembers: call("seeMembers"),
    lag: call("lag"),
    refuse: call("refuse"),
    dropSubscriptions: call("dropSubscriptions"),
    silence: call("silence"),
    dropSlowConsumers: call("dropSlowConsumers"),
    writeStatistics: call("writeStatistics"),
    scavenge: call("scavenge"),
    state: call("state"),
  };
}
