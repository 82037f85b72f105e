import { PassThrough } from "node:stream";
import { run } from "../../src/command-line/run.ts";

export interface Captured {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

function capture(isTTY: boolean, columns: number | undefined) {
  const stream = Object.assign(new PassThrough(), { isTTY, ...(columns !== undefined && { columns }) });
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** Runs a command line in this process against the service at `url`. */
export async function capturedRun(
  line: readonly string[],
  options: {
    readonly env: NodeJS.ProcessEnv;
    readonly terminal?: boolean;
    readonly columns?: number;
    /** What is typed at the terminal. */
    readonly typed?: string;
  },
): Promise<Captured> {
  const stdin = Object.assign(new PassThrough(), { isTTY: options.terminal ?? false });
  stdin.end(options.typed ?? "");
  const stdout = capture(options.terminal ?? false, options.columns);
  const stderr = capture(options.terminal ?? false, options.columns);
  const exitCode = await run(line, {
    ...{ env: options.env, stdin, watchMs: 0 },
    ...{ stdout: stdout.stream, stderr: stderr.stream },
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}
