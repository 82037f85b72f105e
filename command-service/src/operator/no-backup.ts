import { OperatorError, type OperatorRoute } from "@travel-booking/http/operator";

/** What `backup` is told where anything is stored on a server. */
export const NO_EMBEDDED_STORES = "backup copies embedded stores: a server is backed up with its own tools";

/** `backup`, where nothing is embedded. */
export const noBackupRoute: OperatorRoute = {
  method: "POST",
  path: "/operator/backup",
  async handle() {
    throw new OperatorError(409, NO_EMBEDDED_STORES);
  },
};
