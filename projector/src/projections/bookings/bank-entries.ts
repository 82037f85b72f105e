import { timestamp } from "@travel-booking/api-contract/bodies";
import type { BankEntryEvent } from "@travel-booking/domain";
import { BOOKINGS, type TransferRow } from "@travel-booking/read-models";
import { aggregateIdOf, type Handler, recorded } from "../../projection.ts";
import { listed } from "./operator-rows.ts";

const { model, newest } = BOOKINGS.transfer;

/** Money that matches nothing. After a match, the row is deleted when the booking has counted the money. */
export const bankEntryHandler: Handler = {
  reads: (event) => (event.type === "BankEntryMatched" ? [] : [{ model, key: aggregateIdOf(event) }]),
  apply(event, documents) {
    const { type, at, data } = recorded<BankEntryEvent>(event);
    switch (type) {
      case "BankEntryUnmatched": {
        const { entryId: id, amount, currency } = data;
        const nobody = { reference: null, paymentId: null, bookingId: null, accountId: null };
        const known = documents.state<TransferRow>(model, id);
        const createdAt = known?.status === "unmatched" ? known.createdAt : timestamp(at);
        return rowOf({ id, ...nobody, amount, currency, status: "unmatched", createdAt });
      }
      case "BankEntryMatched":
        return [];
      case "BankEntryReturned": {
        const row = documents.state<TransferRow>(model, data.entryId);
        return row === undefined ? [] : rowOf({ ...row, status: "returned" });
      }
      case "BankEntryReversed": {
        const row = documents.state<TransferRow>(model, data.entryId);
        // The row of an entry that a booking has counted is the booking's, and has no state.
        return row?.status === "unmatched" ? rowOf({ ...row, status: "reversed" }) : [];
      }
    }
  },
};

function rowOf(row: TransferRow) {
  return [{ ...listed(model, newest, Date.parse(row.createdAt), row), state: row }];
}
