import { ATTACKS } from "../../attacks/kit/attacks.ts";
import type { Bench } from "../bench.ts";
import { Child } from "../children/child.ts";
import { peakMegabytes, restartPeak } from "../cost/process-figures.ts";
import { openAccount } from "../service/account.ts";
import { importBenchFlights } from "../service/import-bench-flights.ts";
import { Service } from "../service/service.ts";
import type { AttackTask } from "./attack.ts";
import { beGood, type GoodService } from "./good-client.ts";

/** More than a client with four connections can book in any run. */
const SEATS = 25_000;

/** What a good client got, and the most memory that was resident meanwhile, in MB. */
export interface Served extends GoodService {
  readonly peak: number;
}

export interface MeasuredAttack {
  readonly name: string;
  readonly without: Served;
  readonly during: Served;
}

/** Each attack on a service of its own, with the attackers in another process. */
export async function measureAttacks(bench: Bench): Promise<readonly MeasuredAttack[]> {
  const measured: MeasuredAttack[] = [];
  for (const name of Object.keys(ATTACKS)) {
    const service = await Service.start(bench.folder());
    try {
      const one = await measureAttack(bench, service, name);
      bench.say(
        `${name}: ${one.without.perSecond.toFixed(0)} requests/s, during it ${one.during.perSecond.toFixed(0)}`,
      );
      measured.push(one);
    } finally {
      await service.stop();
    }
  }
  return measured;
}

async function measureAttack({ options }: Bench, service: Service, name: string): Promise<MeasuredAttack> {
  const [flight] = await importBenchFlights(service, SEATS);
  const apiKey = (await openAccount(service)).writer["x-api-key"];
  const client = { apiKey, flightId: flight?.flightId ?? "", seconds: options.seconds };
  const serve = async (): Promise<Served> => {
    restartPeak(service.pid);
    const good = await beGood(`http://127.0.0.1:${service.port}`, client);
    return { ...good, peak: peakMegabytes(service.pid) };
  };
  // Warms up.
  await serve();
  const without = await serve();
  const attackers = new Child<AttackTask, void>(new URL("./attack.ts", import.meta.url));
  try {
    await attackers.run({ name, target: { host: "127.0.0.1", port: service.port } });
    return { name, without, during: await serve() };
  } finally {
    await attackers.stop();
  }
}
