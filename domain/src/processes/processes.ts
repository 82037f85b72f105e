import { assignSeatsProcess } from "./assign-seats.ts";
import { book } from "./book.ts";
import { cancel } from "./cancel.ts";
import { changeSeats } from "./change-seats.ts";
import { useCredit } from "./credit.ts";
import { disrupt } from "./disrupt.ts";
import { earnPoints } from "./earn-points.ts";
import { hold } from "./hold.ts";
import { move } from "./move.ts";
import { pay } from "./pay.ts";
import { receiveMoney } from "./receive-money.ts";
import { redeem } from "./redeem.ts";
import { refund } from "./refund.ts";
import { review } from "./review-document.ts";
import { savePassenger } from "./save-passenger.ts";

/** Every process over several streams. One that is missing here is on no list and never runs. */
export const PROCESSES = [
  hold,
  book,
  pay,
  receiveMoney,
  cancel,
  refund,
  changeSeats,
  assignSeatsProcess,
  savePassenger,
  earnPoints,
  redeem,
  useCredit,
  review,
  disrupt,
  move,
] as const;
