import type { ApiResponse } from "../route.ts";
import type { Exchange } from "./exchange.ts";

/** Answers a request that is no operation of the API. */
export type Page = (exchange: Exchange) => ApiResponse | Promise<ApiResponse>;
