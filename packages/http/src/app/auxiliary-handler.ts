import type { ApiResponse } from "../route.ts";
import type { HttpExchange } from "./http-exchange.ts";

/** Answers a request that is no operation of the API. */
export type AuxiliaryHandler = (exchange: HttpExchange) => ApiResponse | Promise<ApiResponse>;
