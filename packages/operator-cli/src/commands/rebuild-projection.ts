import { OperatorRefused } from "../client/errors.ts";
import type { Invocation } from "../command.ts";
import type { Progress } from "../output/progress-bar.ts";
import { isRow, row } from "../responses.ts";

function progressOf(value: unknown): Progress {
  const { position, head, rate, secondsLeft } = row(value);
  return {
    position: Number(position),
    head: Number(head),
    rate: Number(rate),
    secondsLeft: typeof secondsLeft === "number" ? secondsLeft : null,
  };
}

/** Follows a rebuild to its end, with a bar on a terminal. @throws OperatorRefused it failed, or ended without a result. */
export async function rebuildProjection({ client, output, argument }: Invocation): Promise<void> {
  const name = argument("NAME");
  const bar = output.progressBar(name);
  try {
    for await (const line of client.lines("POST", `/operator/projections/${encodeURIComponent(name)}/rebuild`)) {
      const { progress, result, error } = row(line);
      if (progress !== undefined) bar?.show(progressOf(progress));
      if (error !== undefined) throw new OperatorRefused([String(isRow(error) ? error.message : error)]);
      if (result !== undefined) {
        bar?.clear();
        await output.value(row(result));
        return;
      }
    }
  } catch (error) {
    bar?.clear();
    throw error;
  }
  throw new OperatorRefused([`the rebuild of ${name} ended without a result`]);
}
