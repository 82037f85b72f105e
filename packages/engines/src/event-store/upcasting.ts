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
  const byShape = new Map<string, UpcastStep>();
  for (const step of steps) {
    const shape = shapeOf(step);
    if (byShape.has(shape)) throw new Error(`two upcasters for ${shape}`);
    byShape.set(shape, step);
  }
  return function upcast(event): RecordedEvent {
    const step = byShape.get(shapeOf(event));
    return step === undefined ? event : upcast({ ...event, version: event.version + 1, data: step.upcast(event.data) });
  };
}

function shapeOf({ type, version }: { readonly type: string; readonly version: number }): string {
  return `version ${version} of ${type}`;
}
