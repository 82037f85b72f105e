import type { PassengerProfileBody } from "@travel-booking/api-contract";
import type { EventStore } from "@travel-booking/engines/event-store";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import type { Scheduler } from "fast-check";
import { CommandHandler, type CommandServices, runDueTask } from "../../src/index.ts";
import { changePassenger } from "../../src/passengers/change-passenger.ts";
import { createPassenger } from "../../src/passengers/create-passenger.ts";
import { deletePassenger } from "../../src/passengers/delete-passenger.ts";
import { apiRequest } from "../../testing/index.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { type CallResponse, type ExternalSystems, Service } from "../support/service.ts";

const ROUTES = { create: createPassenger, change: changePassenger, delete: deletePassenger };

export interface Call {
  readonly operation: keyof typeof ROUTES;
  readonly accountId: string;
  readonly id?: string;
  readonly body?: unknown;
  readonly commandId: string;
  readonly repeated: boolean;
  /** The step at which the request comes to its end without an answer. */
  readonly crashesAt: string | null;
}

/** One of several command-services on a store they share; whose call to the store is next is drawn. */
export class InterleavedService {
  readonly #services: CommandServices;
  readonly #disk: ExternalSystems;

  constructor(disk: ExternalSystems, scheduler: Scheduler) {
    this.#disk = disk;
    const turn = (what: string) => scheduler.schedule(Promise.resolve(), what);
    const store: EventStore = {
      singleWriter: false,
      async append(stream, expectedRevision, events) {
        await turn(`append to ${stream}`);
        const result = await disk.store.append(stream, expectedRevision, events);
        await turn(`appended to ${stream}`);
        return result;
      },
      async readStream(stream, fromRevision, most) {
        await turn(`read ${stream}`);
        return disk.store.readStream(stream, fromRevision, most);
      },
      subscribe: (options) => disk.store.subscribe(options),
      head: () => disk.store.head(),
      eventIdAt: (position) => disk.store.eventIdAt(position),
      close: () => disk.store.close(),
    };
    const { clock, ids } = disk;
    const realTime = { now: () => disk.waitedMs, pause: () => turn("pause") };
    const handler = new CommandHandler({ store, clock, ids, realTime, random: () => 0.5 });
    this.#services = { ...new Service(disk).services, handler, realTime };
  }

  /** @throws ProcessDied the request came to its end on the way: nobody got an answer. */
  async call({
    operation,
    accountId,
    id = "",
    body,
    commandId,
    repeated,
    crashesAt,
  }: Call): Promise<CallResponse<PassengerProfileBody>> {
    const reached = (point: string) => {
      if (point === crashesAt) throw new ProcessCrashed();
    };
    const handle = ROUTES[operation]({ ...this.#services, reachedFaultPoint: reached }) as (
      request: ApiRequest<never, never>,
    ) => Promise<ApiResponse>;
    const { status, json } = await handle(
      apiRequest({ accountId, params: { id }, body, command: { commandId, repeated } }),
    );
    return { status, body: (json === null ? undefined : JSON.parse(String(json))) as PassengerProfileBody };
  }

  /** Meets, all at once, what is due at this moment. */
  async runDue(): Promise<void> {
    const now = this.#disk.clock.now();
    const due = (await this.#disk.openDueTasks()).filter(({ dueAt }) => dueAt <= now);
    await Promise.all(due.map((task) => runDueTask(this.#services, task)));
  }
}
