import { NO_STREAM } from "@travel-booking/engines/event-store";
import { serveTasks } from "../children/serve-tasks.ts";
import { sizedEvent } from "../data/sized-event.ts";
import { withEventLog } from "./event-log.ts";
import { type AppendTask, repeatFor, type TaskResult, timed } from "./tasks.ts";

const EVENTS_PER_STREAM = 8;

/** Appends through the port: each client one event at a time, to streams of its own of a few events each. */
serveTasks(({ folder, ...load }: AppendTask): Promise<TaskResult> => {
  return withEventLog(folder, (store) => {
    const appended = new Array<number>(load.inFlight).fill(0);
    let number = 0;
    return timed(() =>
      repeatFor(load, async (client) => {
        const before = appended[client] ?? 0;
        appended[client] = before + 1;
        const stream = `flight-${client}-${Math.floor(before / EVENTS_PER_STREAM)}`;
        const event = sizedEvent(number++);
        await store.append(stream, NO_STREAM + (before % EVENTS_PER_STREAM), [event]);
      }),
    );
  });
});
