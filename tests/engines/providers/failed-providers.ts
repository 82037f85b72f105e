/** Ways that were tried before the run and did not work. The environment carries them into every test process. */
const VARIABLE = "TEST_ENGINES_FAILED";

const key = (engine: string, way: string) => `${engine}: ${way}`;

function all(): Record<string, string> {
  return JSON.parse(process.env[VARIABLE] ?? "{}");
}

/** The reason in one line; undefined: it worked, or was not tried. */
export function failureOf(engine: string, way: string): string | undefined {
  return all()[key(engine, way)];
}

export function recordFailure(engine: string, way: string, reason: string): void {
  process.env[VARIABLE] = JSON.stringify({ ...all(), [key(engine, way)]: reason });
}
