import { z } from "zod";
import type { EventToAppend, RecordedEvent } from "../port.ts";
import { type LogPosition, type RecordedMessage, uuidOf } from "./messages.ts";

/** An event as it is sent. */
export interface EncodedEvent {
  readonly id: { readonly text: string };
  readonly properties: { readonly type: string; readonly "content-type": string };
  /** JSON. */
  readonly metadata: string;
  /** JSON. */
  readonly data: string;
}

/** An event as it is in the log. */
export interface ReadEvent {
  readonly id: string;
  readonly revision: number;
  readonly position: LogPosition;
  /** Undefined if this service did not write the event. */
  readonly recorded: RecordedEvent | undefined;
}

/**
 * The stored metadata of an event. Correlation and causation ids have the names that EventStoreDB's projections use.
 */
const storedMetadata = z.object({
  $correlationId: z.string(),
  $causationId: z.string().optional(),
  version: z.int(),
  at: z.number(),
  accountId: z.string().nullable(),
  actor: z.object({ kind: z.enum(["credential", "operator", "system"]), id: z.string() }),
  requestId: z.string().nullable(),
  instance: z.string().optional(),
  sealed: z.string().optional(),
});

const JSON_CONTENT = "application/json";

/** System streams and event types of the server. */
export function isSystemName(name: string): boolean {
  return name.startsWith("$");
}

/** @throws TypeError the data has no JSON. */
export function encodeEvent({ id, type, version, at, data, sealed, metadata }: EventToAppend): EncodedEvent {
  const { accountId, actor, requestId, commandId, causationId, instance } = metadata;
  const stored: z.input<typeof storedMetadata> = {
    $correlationId: commandId,
    $causationId: causationId ?? undefined,
    version,
    at,
    accountId,
    actor: { kind: actor.kind, id: actor.id },
    requestId,
    instance,
    sealed,
  };
  const text = JSON.stringify(data);
  if (text === undefined) throw new TypeError(`the data of event ${id} has no JSON`);
  const properties = { type, "content-type": JSON_CONTENT };
  return { id: { text: id }, properties, metadata: JSON.stringify(stored), data: text };
}

export function decodeEvent(message: RecordedMessage): ReadEvent {
  const position = { commit: message.commit.toBigInt(), prepare: message.prepare.toBigInt() };
  const place = { id: uuidOf(message.id), revision: message.revision.toNumber() };
  return { ...place, position, recorded: recorded(message, { ...place, position: position.commit }) };
}

function recorded(
  { stream, properties, ...json }: RecordedMessage,
  place: Pick<RecordedEvent, "id" | "revision" | "position">,
): RecordedEvent | undefined {
  const { type = "", "content-type": content } = properties;
  if (stream === null || isSystemName(stream.name) || isSystemName(type) || content !== JSON_CONTENT) return undefined;
  const stored = storedMetadata.safeParse(parsed(json.metadata));
  const data = parsed(json.data);
  if (data === undefined || !stored.success) return undefined;
  const {
    version,
    at,
    accountId,
    actor,
    requestId,
    $correlationId,
    $causationId = null,
    instance,
    sealed,
  } = stored.data;
  const metadata = { accountId, actor, requestId, commandId: $correlationId, causationId: $causationId };
  return {
    ...place,
    stream: stream.name,
    type,
    version,
    at,
    data,
    ...(sealed !== undefined && { sealed }),
    metadata: instance === undefined ? metadata : { ...metadata, instance },
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
