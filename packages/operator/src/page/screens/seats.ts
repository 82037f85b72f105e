import type { SeatMapBody } from "@travel-booking/api-contract";
import { type Html, html } from "@travel-booking/http/html";

type CabinMap = SeatMapBody["cabins"][number];
type Seat = CabinMap["rows"][number]["seats"][number];

/**
 * A cabin from above, front first. The party's seats show the number of their passenger.
 * @param today the party's seats now, where `party` are its seats at an earlier moment.
 */
export function seatMap({ rows, columns, aisles }: CabinMap, party: readonly string[], today = party): Html {
  const gap = (index: number) => (aisles.includes(index) ? html`<td class="aisle"></td>` : undefined);
  const letters = columns.map((letter, index) => html`${gap(index)}<th scope="col">${letter}</th>`);
  return html`<div class="scroll"><table class="seats"><thead><tr><td></td>${letters}</tr></thead>
<tbody>${rows.map(({ number, seats }) => html`<tr><th scope="row">${number}</th>${cells(seats, columns, gap, party, today)}</tr>`)}</tbody></table></div>
<p class="hint">1, 2, …: this booking's passengers. ${today.some((seat) => !party.includes(seat)) ? `${LATER}: theirs today. ` : ""}${legend(rows.flatMap(({ seats }) => seats))}</p>`;
}

const SIGNS: Readonly<Record<Seat["status"], string>> = { available: "·", held: "h", booked: "b", blocked: "x" };

const LATER = "→";

function cells(
  seats: readonly Seat[],
  columns: readonly string[],
  gap: (index: number) => Html | undefined,
  party: readonly string[],
  today: readonly string[],
): readonly Html[] {
  return columns.map((letter, index) => {
    const seat = seats.find(({ number }) => number.endsWith(letter));
    if (seat === undefined) return html`${gap(index)}<td></td>`;
    const passenger = party.indexOf(seat.number) + 1;
    const later = today.indexOf(seat.number) + 1;
    const [kind, sign, title] =
      passenger > 0
        ? ["own", passenger, `passenger ${passenger}`]
        : later > 0
          ? ["later", LATER, `passenger ${later} today`]
          : [seat.status, SIGNS[seat.status], seat.status];
    return html`${gap(index)}<td class="${kind}" title="${seat.number} ${title}">${sign}</td>`;
  });
}

function legend(seats: readonly Seat[]): string {
  const kinds = Object.entries(SIGNS) as [Seat["status"], string][];
  const count = (wanted: Seat["status"]) => seats.filter(({ status }) => status === wanted).length;
  return `${kinds.map(([kind, sign]) => `${sign} ${kind}: ${count(kind)}`).join(", ")}.`;
}
