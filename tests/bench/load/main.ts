import { serveTasks } from "../children/serve-tasks.ts";
import { runJob } from "./run-job.ts";

serveTasks(runJob);
