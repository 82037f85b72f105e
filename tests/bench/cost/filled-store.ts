import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startEventStoreDouble } from "../../engines/eventstoredb/index.ts";
import { Service as Standalone } from "../../support/service.ts";
import type { Bench } from "../bench.ts";
import { runOnce } from "../children/child.ts";
import { Service } from "../service/service.ts";
import type { Filled, FillTask } from "../store/fill-log.ts";

const FLIGHTS_PER_BOOKING = 600 / 100_000;
const MIN_FLIGHTS = 600;
const SECRET_KEY = "x".repeat(43);
/** In the data folder: what is in the log. Written last. */
const CONTENTS = "bench-contents.json";

/**
 * A data folder with so many bookings, its read models built; what is measured works on copies. What is stored has the
 * form of its checkout, so it is filled by that one's own script and service.
 */
export class FilledStore {
  /** Folder of the code whose service works on it. */
  readonly checkout: string;
  readonly contents: Filled["contents"];
  readonly bookingEvents: Filled["bookingEvents"];
  /** Where the log is, if it is not in the folder. All copies share it then. */
  readonly settings: Readonly<Record<string, string>>;
  readonly #bench: Bench;
  readonly #folder: string;

  private constructor(bench: Bench, checkout: string, folder: string, settings: Readonly<Record<string, string>>) {
    this.checkout = checkout;
    this.settings = settings;
    this.#bench = bench;
    this.#folder = folder;
    const { events, bookingEvents, contents } = JSON.parse(readFileSync(join(folder, CONTENTS), "utf8")) as Filled;
    this.bookingEvents = bookingEvents;
    this.contents = contents;
    bench.say(`${contents.bookings.length} bookings in ${events} events`);
  }

  static async make(bench: Bench, checkout: string): Promise<FilledStore> {
    const folder = bench.options.store ?? bench.folder();
    const url = bench.options.eventStore ? await startDouble(bench) : undefined;
    if (!existsSync(join(folder, CONTENTS))) await fill(checkout, folder, bench.options.bookings, url);
    const settings = url === undefined ? {} : { EVENT_STORE_URL: url, SECRET_KEY };
    const store = new FilledStore(bench, checkout, folder, settings);
    const service = await Service.start(folder, settings, checkout);
    await service.idle();
    await service.stop();
    bench.say("read models are built");
    return store;
  }

  copy(): string {
    const folder = this.#bench.folder();
    cpSync(this.#folder, folder, { recursive: true });
    // Else the copy goes to the disk while what is measured waits for it.
    execFileSync("sync", ["--file-system", folder]);
    return folder;
  }

  discard(copy: string): void {
    rmSync(copy, { recursive: true });
  }
}

async function startDouble(bench: Bench): Promise<string> {
  const double = await startEventStoreDouble();
  bench.atEnd(() => double.stop());
  return double.url;
}

async function fill(checkout: string, folder: string, bookings: number, url: string | undefined): Promise<void> {
  const flights = Math.max(MIN_FLIGHTS, Math.round(bookings * FLIGHTS_PER_BOOKING));
  const task = { folder: join(folder, "log"), url, bookings, flights };
  const script = pathToFileURL(join(checkout, "tests/bench/store/fill-log.ts"));
  const filled = await runOnce<FillTask, Filled>(script, task);
  if (url === undefined) await sealWords(checkout, folder);
  writeFileSync(join(folder, CONTENTS), JSON.stringify(filled));
}

/** Events are filled in as they were before personal words were sealed. */
async function sealWords(checkout: string, folder: string): Promise<void> {
  const { code, stderr } = await Standalone.spawn({ checkout, dataDir: folder, line: ["log", "rewrite"] }).ended;
  if (code !== 0) throw new Error(`the log could not be sealed: ${stderr}`);
}
