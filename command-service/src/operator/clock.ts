import { OperatorError, type OperatorRoute } from "@travel-booking/http/operator";
import type { SandboxClock } from "@travel-booking/runtime";
import { z } from "zod";
import { parse } from "./parse.ts";

/** No advance is longer: far beyond anything that is ever scheduled, and far from the end of calendar time. */
const LONGEST_SECONDS = 100 * 366 * 24 * 3600;

const advance = z.strictObject({ seconds: z.int().min(1).max(LONGEST_SECONDS) });

export interface ClockServices {
  readonly clock: SandboxClock;
  /** `SANDBOX_CLOCK`. */
  readonly movable: boolean;
  /** Moves the clock from due time to due time, everything due being done at its own, up to `target`. */
  readonly advanceTo: (target: number) => Promise<void>;
}

/** `clock show`, `clock advance`. */
export function clockRoutes(services: ClockServices): readonly OperatorRoute[] {
  const { clock, movable, advanceTo } = services;
  const shown = () => ({
    now: new Date(clock.now()).toISOString(),
    offsetSeconds: Math.round(clock.offset / 1000),
  });
  return [
    {
      method: "GET",
      path: "/operator/clock",
      handle: async () => ({ status: 200, body: shown() }),
    },
    {
      method: "POST",
      path: "/operator/clock/advance",
      async handle(request) {
        const { seconds } = parse(advance, request.body);
        if (!movable) {
          throw new OperatorError(409, "the clock can't be moved: start the service with SANDBOX_CLOCK=true");
        }
        await advanceTo(clock.now() + seconds * 1000);
        return { status: 200, body: shown() };
      },
    },
  ];
}
