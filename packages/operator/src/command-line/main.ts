import { run } from "./run.ts";

// A reader that stops early (`| head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`standard output can't be written (${error.code})\n`);
  process.exit(1);
});

process.exitCode = await run(process.argv.slice(2), process);
