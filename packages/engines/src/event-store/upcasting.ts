import type { RecordedEvent } from "./port.ts";

/** Converts an event of an older version to the present one; returns any other as it is. */
export type Upcast = (event: RecordedEvent) => RecordedEvent;

/** Converts the data of one event type from `version` to the next. */
export interface UpcastStep {
  readonly type: string;
  readonly version: number;
  readonly upcast: (data: unknown) => unknown;
}

/** Chains the steps of each type, so that an event of any age reaches the present version. */
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
