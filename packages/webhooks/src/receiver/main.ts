import { readArguments, USAGE } from "./arguments.ts";
import { startReceiver } from "./receiver.ts";

const given = readArguments(process.argv.slice(2), process.env);
if (given === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}
const print = (line: string) => void process.stdout.write(`${line}\n`);
try {
  const { url } = await startReceiver({ ...given, print });
  print(`waiting for deliveries at ${url} (the service needs WEBHOOK_ALLOW_PRIVATE_TARGETS=true to reach it)`);
} catch (error) {
  process.stderr.write(`port ${given.port} can't be listened at (${(error as NodeJS.ErrnoException).code})\n`);
  process.exit(1);
}
