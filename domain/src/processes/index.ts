export {
  affectsSeatAssignment,
  assignMissingSeats,
  evolveSeatAssignment,
  givesUpSeats,
  type SeatAssignment,
  SeatChangeInProgress,
} from "./assign-seats.ts";
export { undoAllocation } from "./book.ts";
export { returnCancelled } from "./cancel.ts";
export { applySeatChange, finishSeatChange } from "./change-seats.ts";
export { returnCredit, settleCreditClaim } from "./credit.ts";
export { AllocationsUndecided, sweepDisruption } from "./disrupt.ts";
export * from "./due-tasks.ts";
export { postBookingPoints } from "./earn-points.ts";
export { finishMove, foreseeMove } from "./move.ts";
export { lookAtCharge, recordChargeOutcome, recordDispute, startedCharge } from "./pay.ts";
export { FOLLOW_UP_GRACE, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
export { PROCESSES } from "./processes.ts";
export { freeEntry, receiveMatched } from "./receive-money.ts";
export { completeRedemption, copyOfRedemption, finishRedemption, type OpenRedemption } from "./redeem.ts";
export { lookAtRefund, refundsToSend, refundToSendOf, trySendRefund } from "./refund.ts";
export { type FileReading, type ReviewOutcome, readFile, recordReading, reviewDocument } from "./review-document.ts";
export { DECIDERS, type Ports, type Saga, type StartedCharge, type Step } from "./saga.ts";
export { passengerEmailId, releaseEmail, settleEmailClaim } from "./save-passenger.ts";
