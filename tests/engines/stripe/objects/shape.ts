/** A JSON object, as it stands in a request or an answer. */
export type Shape = { [field: string]: unknown };
