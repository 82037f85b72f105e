import type { Sink } from "./sink.ts";

/** How far a rebuild is. `rate` in events a second; `secondsLeft` null while it is not known. */
export interface Progress {
  readonly position: number;
  readonly head: number;
  readonly rate: number;
  readonly secondsLeft: number | null;
}

const WIDTH = 30;
const CLEAR_LINE = "\r\u001B[2K";

function timeLeft(seconds: number | null): string {
  if (seconds === null) return "time left unknown";
  const minutes = Math.floor(seconds / 60);
  const rest = Math.ceil(seconds - minutes * 60);
  return minutes === 0 ? `${rest} s left` : `${minutes} min ${rest} s left`;
}

/** One line: bar, share, position, rate, time left. */
export function progressLine(label: string, { position, head, rate, secondsLeft }: Progress): string {
  const share = head === 0 ? 1 : Math.min(1, position / head);
  const filled = Math.floor(share * WIDTH);
  const bar = "#".repeat(filled) + ".".repeat(WIDTH - filled);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${label} [${bar}]${percent}  ${position}/${head}  ${Math.round(rate)}/s  ${timeLeft(secondsLeft)}`;
}

/** Draws over its own line on a terminal, and leaves nothing behind. */
export class ProgressBar {
  readonly #terminal: Sink;
  readonly #label: string;

  constructor(terminal: Sink, label: string) {
    this.#terminal = terminal;
    this.#label = label;
  }

  show(progress: Progress): void {
    this.#terminal.write(CLEAR_LINE + progressLine(this.#label, progress));
  }

  clear(): void {
    this.#terminal.write(CLEAR_LINE);
  }
}
