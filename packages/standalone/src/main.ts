import { runService } from "@travel-booking/service-host";
import { startStandalone } from "./standalone.ts";

/** The one process of `npm start`: every service in one. */
await runService("standalone", startStandalone);
