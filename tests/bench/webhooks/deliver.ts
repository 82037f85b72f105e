import { join } from "node:path";
import { type BookingBody, eventJson, timestamp } from "@travel-booking/api-contract";
import { MemoryJobQueue } from "@travel-booking/job-queue";
import { type Environment, openEnvironment } from "@travel-booking/lmdb-environment";
import { EVENTS, WEBHOOKS } from "@travel-booking/read-models";
import { putEndpoint, putEvent } from "@travel-booking/read-models/testing";
import { openLmdbReadStore, READ_STORE_DATABASES, type ReadStore, type Write } from "@travel-booking/read-store";
import { silentLogger, systemClock } from "@travel-booking/runtime";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "@travel-booking/state-store";
import { ALWAYS_HELD, Dispatcher } from "@travel-booking/webhook-dispatcher";
import { WebhookSecrets } from "@travel-booking/webhook-secrets";
import { serveTasks } from "../children/serve-tasks.ts";
import { hexOf } from "../data/ids.ts";
import { type TaskResult, timed } from "../store/tasks.ts";
import type { DeliverTask } from "./tasks.ts";

const ACCOUNT = `acc_${hexOf(1)}`;
const TYPE = "booking.changed";
const EVENTS_PER_BOOKING = 4;
const WRITTEN_AT_ONCE = 500;

function endpointWrite(number: number, url: string): Write {
  const endpointId = `whe_${hexOf(number)}`;
  return putEndpoint(BigInt(number), { accountId: ACCOUNT, endpointId, url, events: [TYPE] });
}

function eventWrite(number: number): Write {
  const bookingId = `bkg_${hexOf(Math.floor(number / EVENTS_PER_BOOKING))}`;
  const booking: BookingBody = {
    id: bookingId,
    status: "confirmed",
    cabin: "economy",
    flightId: "KP442-20270301",
    passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
    totalAmount: 129_900,
    currency: "USD",
    documents: [],
    seats: ["12A"],
    reference: `R-${number}`,
    createdAt: timestamp(0),
  };
  const id = `evt_${hexOf(number)}`;
  const json = eventJson({ id, type: TYPE, at: 0 }, JSON.stringify(booking), { reference: null });
  return putEvent(BigInt(number), id, json, { accountId: ACCOUNT, bookingId, type: TYPE });
}

async function seed(models: ReadStore, { events, endpoints, url }: DeliverTask): Promise<bigint> {
  const ranges = [
    { projection: WEBHOOKS.projection, from: 1, to: endpoints, write: (n: number) => endpointWrite(n, url) },
    { projection: EVENTS.projection, from: endpoints + 1, to: endpoints + events, write: eventWrite },
  ];
  for (const { projection, from, to, write } of ranges) {
    await models.create({ projection, generation: 1 }, 1);
    await models.switchLive({ projection, generation: 1 });
    for (let first = from; first <= to; first += WRITTEN_AT_ONCE) {
      const last = Math.min(to, first + WRITTEN_AT_ONCE - 1);
      const writes = Array.from({ length: last - first + 1 }, (_, index) => write(first + index));
      await models.write([{ projection, generation: 1, writes, checkpoint: BigInt(last) }]);
    }
  }
  models.refresh();
  return BigInt(endpoints + events);
}

async function deliverAll(task: DeliverTask, read: Environment, log: Environment): Promise<TaskResult> {
  const models = openLmdbReadStore(read.root);
  const head = await seed(models, task);
  const state = openLmdbStateStore(log, {
    onFatal: (error) => {
      throw error;
    },
  });
  const secrets = new WebhookSecrets(state, "a secret key of at least 32 characters");
  for (let number = 1; number <= task.endpoints; number += 1) await secrets.obtain(`whe_${hexOf(number)}`);
  const wanted = task.events * task.endpoints;
  const { promise: done, resolve, reject } = Promise.withResolvers<number>();
  let delivered = 0;
  const dispatcher = new Dispatcher({
    state,
    models,
    progress: { positionOf: () => head, waitUntil: () => new Promise(() => undefined) },
    queue: new MemoryJobQueue(),
    leads: ALWAYS_HELD,
    holder: null,
    clock: systemClock,
    secrets,
    allowPrivate: true,
    tally: {
      attempt(outcome) {
        if (outcome !== "succeeded") reject(new Error("a delivery has failed"));
        delivered += 1;
        if (delivered === wanted) resolve(delivered);
      },
      paused: () => undefined,
    },
    logger: silentLogger,
  });
  const result = await timed(() => {
    dispatcher.start();
    return done;
  });
  await dispatcher.stop();
  await state.close();
  return result;
}

/** The webhook dispatcher of the embedded profile with a backlog of events: taken up, sent, recorded. */
serveTasks(async (task: DeliverTask): Promise<TaskResult> => {
  const read = openEnvironment({ path: join(task.folder, "read"), maxDbs: READ_STORE_DATABASES });
  const log = openEnvironment({ path: join(task.folder, "log"), maxDbs: LMDB_STATE_STORE_DATABASES });
  try {
    return await deliverAll(task, read, log);
  } finally {
    await read.close();
    await log.close();
  }
});
