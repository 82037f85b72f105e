import { text, toProblems } from "@travel-booking/api-contract";
import type { Tolerance } from "@travel-booking/domain";
import {
  type PageItem,
  type PageRequest,
  pagesOf,
  parseBody,
  type ReadModels,
} from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ApiResponse } from "@travel-booking/http";
import { OperatorError, type OperatorRequest } from "@travel-booking/http/operator";
import { ALL_PARTITION } from "@travel-booking/read-models";
import { commandStep } from "@travel-booking/runtime";
import { type ZodType, z } from "zod";
import type { CommandContext } from "../command-handling/command.ts";
import type { SealedEventStore } from "../command-handling/sealed-event-store.ts";
import type { PayerTexts } from "../payments/payer-texts.ts";
import type { DisruptedFlights } from "../processes/disrupted-flights.ts";
import type { CommandServices } from "../services.ts";

/** The services of the operator routes. */
export interface OperatorServices extends CommandServices {
  readonly store: SealedEventStore;
  readonly models: ReadModels;
  readonly state: StateStore;
  readonly disrupted: Pick<DisruptedFlights, "tell" | "news">;
  /** Of flights that are retimed from now on. */
  readonly tolerance: Tolerance;
  readonly payerTexts: PayerTexts;
  /**
   * Resolves when every read model shows the log up to this position: an operator's command is in force on every
   * instance before the response. With `projections`, only these.
   */
  readonly waitUntilProjected: (position: bigint, projections?: readonly string[]) => Promise<void>;
  /**
   * Removes all traces of erased keys that can be removed. Returns where others remain, and until when.
   * @throws OperatorError removing is possible, but not now.
   */
  readonly removeTracesOfKeys: () => Promise<string>;
}

/** The context of the n-th step of a command that an operator gives. */
export function operatorContext(
  request: OperatorRequest,
  { accountId = null, step = 0 }: { readonly accountId?: string | null; readonly step?: number } = {},
): CommandContext {
  return {
    accountId,
    actor: { kind: "operator", id: request.operator },
    requestId: request.requestId,
    causationId: null,
    commandId: commandStep(request.command.commandId, step),
    attempt: request.command,
  };
}

/** What a client would be told, to the operator. */
export function refusedAs({ status, json }: ApiResponse): OperatorError {
  const { message } = JSON.parse(String(json)) as { readonly message: string | readonly string[] };
  return new OperatorError(status as 409, ...[message].flat());
}

/** A text that people read in one line, without the white space around it. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .pipe(text({ max, blank: "refused", line: true }));

/** @throws OperatorError 400 with one line per problem. */
export function parse<Value>(schema: ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body ?? {});
  if (!parsed.success) throw new OperatorError(400, ...toProblems(parsed.error));
  return parsed.data;
}

const PAGE = 500;

/** Every document of a list, in its order, parsed. */
export function listAll(...list: Parameters<typeof listItems>): Promise<readonly unknown[]> {
  return Array.fromAsync(listItems(...list), (item) => parseBody(item));
}

/** Every document of a list, a page at a time. */
export async function* listItems(
  models: Pick<ReadModels, "page">,
  model: string,
  index: string,
  partition: string,
  order: PageRequest["order"] = "ascending",
): AsyncGenerator<PageItem> {
  for await (const page of pagesOf(models, model, { index, partition, order, limit: PAGE })) yield* page;
}

/** How many rows of a list that customers may make very long are asked for: a page shows the first ones alone. */
export const listed = z.object({ most: z.coerce.number().pipe(z.int().min(1)).default(Number.MAX_SAFE_INTEGER) });

/** The first rows of a list of all accounts, after it has caught up with all acknowledged writes. */
export async function currentRows(
  { waitUntilProjected, store, models }: OperatorServices,
  model: string,
  index: string,
  most = Number.MAX_SAFE_INTEGER,
  order: PageRequest["order"] = "ascending",
): Promise<readonly unknown[]> {
  await waitUntilProjected(await store.head());
  return firstOf(listItems(models, model, index, ALL_PARTITION, order), most, parseBody);
}

/** Reads no more than it needs. */
export async function firstOf<Item, Row>(
  items: AsyncIterable<Item>,
  most: number,
  rowOf: (item: Item) => Row,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const item of items) if (rows.push(rowOf(item)) >= most) break;
  return rows;
}
