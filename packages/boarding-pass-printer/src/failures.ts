import { z } from "zod";

/** No browser can draw. The message says what to do. */
export class NoBrowser extends Error {
  override readonly name = "NoBrowser";

  get unavailable() {
    return ["printing_unavailable", "nothing can be printed as PDF; png and json need no browser"] as const;
  }
}

/** Too many drawings are waiting, of all accounts or of this one. */
export class PrinterBusy extends Error {
  override readonly name = "PrinterBusy";

  get unavailable() {
    return ["printing_unavailable", "too many boarding passes are being printed; try again"] as const;
  }
}

/** The drawing failed, or was late. Another try may succeed. The printer's log says why. */
export class PrintingFailed extends Error {
  override readonly name = "PrintingFailed";

  get unavailable() {
    return ["printing_unavailable", "the boarding passes could not be drawn; try again"] as const;
  }
}

const FAILURES = { NoBrowser, PrinterBusy, PrintingFailed };

/** A failure as the printer reports it to the service. */
export const toldFailureSchema = z.object({
  name: z.enum(["NoBrowser", "PrinterBusy", "PrintingFailed"]),
  message: z.string().max(1_000),
});
export type ToldFailure = z.infer<typeof toldFailureSchema>;

export function tellFailure(error: unknown): ToldFailure {
  if (error instanceof NoBrowser || error instanceof PrinterBusy) return { name: error.name, message: error.message };
  return { name: "PrintingFailed", message: "the boarding pass could not be drawn" };
}

export function toldFailure({ name, message }: ToldFailure): Error {
  return new FAILURES[name](message);
}
