/** Lanes at once: of more, each costs more, since what one needs is out of the processor's caches when it goes on. */
const MOST = 320;
/** Real time. */
const MOMENT_MS = 50;

export interface BurstOptions {
  readonly most?: number;
  readonly momentMs?: number;
  /** Milliseconds of real time; this process's unless told. */
  readonly now?: () => number;
}

export interface JustBegunOptions extends BurstOptions {
  /** There is room again. */
  readonly room: () => void;
}

interface Beginning {
  readonly at: number;
}

/**
 * What was begun a moment ago and has not ended: only so much at a time. Whatever takes longer waits for somebody else,
 * keeps no processor busy and does not count any more, so that slow receivers take nothing from others.
 */
export class JustBegun {
  readonly #options: Required<JustBegunOptions>;
  /** The oldest is the first. */
  readonly #beginnings = new Set<Beginning>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ room, most = MOST, momentMs = MOMENT_MS, now = () => performance.now() }: JustBegunOptions) {
    this.#options = { room, most, momentMs, now };
  }

  begin(): Beginning {
    const beginning = { at: this.#options.now() };
    this.#beginnings.add(beginning);
    return beginning;
  }

  end(beginning: Beginning): void {
    this.#beginnings.delete(beginning);
  }

  /** Whether one more may be begun now. Where not, `room` is called when it may by the passing of time. */
  mayBegin(): boolean {
    const { most, momentMs, now, room } = this.#options;
    if (this.#beginnings.size < most) return true;
    const at = now();
    for (const beginning of this.#beginnings) {
      if (at - beginning.at < momentMs) break;
      this.#beginnings.delete(beginning);
    }
    const [oldest] = this.#beginnings;
    if (oldest === undefined || this.#beginnings.size < most) return true;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        room();
      },
      oldest.at + momentMs - at,
    ).unref();
    return false;
  }
}
