import { EventStoreDBClient } from "@eventstore/db-client";
import { Redis } from "ioredis";
import { MongoClient } from "mongodb";
import type { Servers } from "./servers.ts";

/** All that the servers hold, as text: bytes are its characters in Latin-1, so that text among them can be found. */
export async function dumpServers({ eventStoreUrl, mongodbUrl, redisUrl }: Servers): Promise<string> {
  return [await eventsOf(eventStoreUrl), await documentsOf(mongodbUrl), await valuesOf(redisUrl)].join("\n");
}

async function eventsOf(url: string): Promise<string> {
  const client = EventStoreDBClient.connectionString(url);
  try {
    let text = "";
    for await (const { event } of client.readAll()) text += readable(event);
    return text;
  } finally {
    await client.dispose();
  }
}

async function documentsOf(url: string): Promise<string> {
  const client = new MongoClient(url, { promoteBuffers: true });
  try {
    let text = "";
    for (const { name } of await client.db().listCollections({}, { nameOnly: true }).toArray()) {
      for await (const document of client.db().collection(name).find()) text += readable(document);
    }
    return text;
  } finally {
    await client.close();
  }
}

async function valuesOf(url: string): Promise<string> {
  const client = new Redis(url);
  try {
    let text = "";
    for await (const keys of client.scanStream()) {
      for (const key of keys as readonly string[])
        text += `${key}${(await client.dumpBuffer(key))?.toString("latin1")}`;
    }
    return text;
  } finally {
    client.disconnect();
  }
}

function readable(value: unknown): string {
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner === "bigint") return String(inner);
    // Buffers have been made JSON of their own before they come here.
    return inner?.type === "Buffer" ? Buffer.from(inner.data).toString("latin1") : inner;
  });
}
