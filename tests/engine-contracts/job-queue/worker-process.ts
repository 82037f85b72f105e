import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import { openRedis } from "@travel-booking/engines/redis";

/** A worker that takes one lane, says so, and never ends its run. Arguments: url, name of the queue, lockMs. */
const [url = "", name = "", lockMs = ""] = process.argv.slice(2);
const queue = openBullMqJobQueue(openRedis(url), name, Number(lockMs));
const end = Promise.withResolvers<void>();
queue.startWorker((lane) => {
  process.stdout.write(`${lane}\n`);
  return end.promise;
});
