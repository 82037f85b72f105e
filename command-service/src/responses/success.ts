import type { ApiResponse } from "@travel-booking/http";

/** 200 with the object as it is after the command. */
export function ok(body: unknown, position: bigint): ApiResponse {
  return { status: 200, json: JSON.stringify(body), position };
}

/** 201 with the object that was made. */
export function created(body: unknown, position: bigint): ApiResponse {
  return { status: 201, json: JSON.stringify(body), position };
}

/** 204. */
export function noContent(position: bigint): ApiResponse {
  return { status: 204, json: null, position };
}
