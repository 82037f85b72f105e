import type { Found, FoundBooking, FoundRow } from "@travel-booking/read-models";
import type { Command } from "commander";
import { type BookingAnswer, cancellationWords, refundableWords } from "../../booking-words.ts";
import { amountInCents, irreversible, listIndex, pathPart, queryOf } from "../arguments.ts";
import { type OperatorSession, row, rows } from "../session.ts";
import { changeLine } from "../timeline.ts";

const NOT_ALL = "Not everything was looked through: write more of the word.";
/** Description of an option. */
const REASON = "why; only operators see it, in the booking's history";

/** `find`, `booking` */
export function addBookingCommands(program: Command, session: OperatorSession): void {
  const shown = (id: string) =>
    session.client.request("GET", `/operator/bookings/${encodeURIComponent(id)}`) as Promise<BookingAnswer>;
  const find = (path: string) => async (word: string) => {
    const asked = session.client.request("GET", `${path}?word=${encodeURIComponent(word)}`);
    const found = (await asked) as Found<FoundRow | FoundBooking>;
    await session.output.list(rows(found.data));
    if (!found.isAll) session.output.warn(NOT_ALL);
  };
  program
    .command("find")
    .description(
      "accounts, keys, saved passengers and bookings with a word that begins like this: a name, e-mail address, reference, " +
        "seat, flight, file, reference of a transfer, or the id of a request; all is read",
    )
    .argument("<WORD>", "whatever its case")
    .action(find("/operator/search"));

  const booking = program.command("booking").description("bookings as they are stored");
  irreversible(booking.command("erase"), session)
    .description("forget the people of a booking that is flown or cancelled")
    .argument("<ID>", "", pathPart)
    .option("--passenger <N>", "this one of the party alone, by the position in the booking, from 0", listIndex)
    .option("--documents", "the files of its documents and what was read in them alone")
    .action((id: string, part: object) =>
      session.show("POST", `/operator/bookings/${id}/erase`, Object.keys(part).length === 0 ? undefined : part),
    );
  irreversible(booking.command("cancel"), session, undefined, async (id) => cancellationWords(await shown(id)))
    .description("cancel a booking in its owner's place, by the same rules: what is paid goes back as for them")
    .argument("<ID>", "", pathPart)
    .option("--reason <R>", REASON)
    .action((id: string, body: object) => session.show("POST", `/operator/bookings/${id}/cancel`, body));
  irreversible(booking.command("refund"), session, undefined, async (id) => refundableWords(await shown(id)))
    .description("give back what was paid, or a part of it; the booking stays")
    .argument("<ID>", "", pathPart)
    .option("--payment <ID>", "which; the only one that has something left without this")
    .option("--sum <SUM>", "how much, as people write it: 905.00; all that is left without this")
    .option("--amount <CENTS>", "the same in the smallest unit: 90500", amountInCents)
    .option("--reason <R>", REASON)
    .action((id: string, { payment: paymentId, ...body }: { payment?: string }) =>
      session.show("POST", `/operator/bookings/${id}/refunds`, { paymentId, ...body }),
    );
  booking
    .command("find")
    .description("the bookings among what find finds, with flight, passengers and reference each by itself")
    .argument("<WORD>", "whatever its case")
    .action(find("/operator/bookings"));
  booking
    .command("reseat")
    .description("other seats for a booking, one per passenger, by the same rules as for its owner")
    .argument("<ID>", "", pathPart)
    .argument("<SEATS...>", "in the order of its passengers, such as 22A 22B")
    .option("--reason <R>", REASON)
    .action((id: string, seats: readonly string[], { reason }: { reason?: string }) =>
      session.show("POST", `/operator/bookings/${id}/seats`, { seats, reason }),
    );
  booking
    .command("note")
    .description("write down something about a booking, which only operators see")
    .argument("<ID>", "", pathPart)
    .argument("<TEXT>")
    .action((id: string, text: string) => session.show("POST", `/operator/bookings/${id}/notes`, { text }));
  booking
    .command("show")
    .description("what a booking's events made of it, and each with who caused it and what it changed")
    .argument("<ID>", "", pathPart)
    .option("--at <REVISION>", "as it was after this event, from 0", listIndex)
    .option("--before <REVISION>", "the events before this one; the latest without this", listIndex)
    .action(async (id: string, options: { at?: number; before?: number }) => {
      const path = `/operator/bookings/${id}${queryOf(options)}`;
      if (session.output.isJson) return session.show("GET", path);
      const { booking, timeline } = (await session.client.request("GET", path)) as BookingAnswer;
      await session.output.value(row(booking));
      const first = timeline[0]?.revision ?? 0;
      if (first > 0) session.output.warn(`Earlier events: --before ${first}`);
      const currency = "currency" in booking ? booking.currency : "";
      for (const moment of timeline) await session.output.line(changeLine(moment, currency, session.output.style()));
    });
}
