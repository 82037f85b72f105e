import type { RecordedEvent } from "./port.ts";

/** Brings an event that was stored in an older shape into the present one; any other it returns as it is. */
export type Upcast = (event: RecordedEvent) => RecordedEvent;

/** How the data of one type changed from `version` to the next. */
export interface UpcastStep {
  readonly type: string;
  readonly version: number;
  readonly upcast: (data: unknown) => unknown;
}

/** Chains the steps of each type, so that an event of any age passes through all that came after it. */
export function upcasting(steps: readonly UpcastStep[]): Upcast {
  const byType = new Map<string, Map<number, UpcastStep>>();
  for (const step of steps) {
    const ofType = byType.get(step.type) ?? new Map<number, UpcastStep>();
    if (ofType.has(step.version)) throw new Error(`two upcasters for version ${step.version} of ${step.type}`);
    byType.set(step.type, ofType.set(step.version, step));
  }
  return (event) => {
    const ofType = byType.get(event.type);
    if (ofType === undefined) return event;
    let { version, data } = event;
    for (let step = ofType.get(version); step !== undefined; step = ofType.get(version)) {
      data = step.upcast(data);
      version++;
    }
    return version === event.version ? event : { ...event, version, data };
  };
}
