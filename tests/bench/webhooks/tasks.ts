/** What a receiver is asked. */
export type ReceiveTask = "where" | "how many";
