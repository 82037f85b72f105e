import { InvalidOption, type Options, readOptions, USAGE } from "./options.ts";

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof InvalidOption)) throw error;
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

const options = optionsOrExit();
// What the tests share asks for it while it is loaded.
process.env.TEST_PROFILE = options.profile;
const findings =
  options.bookings === undefined
    ? await (await import("./soak.ts")).soak(options)
    : await (await import("./disruption.ts")).soakDisruption(options);
console.log(findings.length === 0 ? "everything adds up" : `${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;
