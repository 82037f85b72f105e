import { describe, expect, test } from "@jest/globals";
import { clientConnectionString } from "../../../src/event-store/eventstoredb/connection-string.ts";
import { openEventStoreDb } from "../../../src/event-store/eventstoredb/eventstoredb-event-store.ts";

describe("a connection string", () => {
  test.each([
    ["esdb://localhost:2113?tls=false", "esdb://localhost:2113?tls=false"],
    ["kurrentdb://localhost:2113?tls=false", "esdb://localhost:2113?tls=false"],
    [" kurrentdb+discover://cluster.example.com ", "esdb+discover://cluster.example.com"],
    ["esdb://one:2113,two:2114,three/?nodePreference=leader", "esdb://one:2113,two:2114,three?nodePreference=leader"],
    ["esdb://user:p%40ss@host?tls=true&tlsCaFile=/ca.pem", "esdb://user:p%40ss@host?tls=true&tlsCaFile=/ca.pem"],
    ["esdb://host?keep_alive_interval=-1&gossip-timeout=5", "esdb://host?keep_alive_interval=-1&gossip-timeout=5"],
  ])("%s is what the client gets as %s", (url, expected) => {
    expect(clientConnectionString(url)).toBe(expected);
  });

  test.each([
    ["", "it begins with esdb:// or kurrentdb://"],
    ["http://user:s3cret@host", "it begins with"],
    ["esdb://", "host:port"],
    ["esdb://user:s3cret@", "host:port"],
    ["esdb://user:s3cret@host:port", "host:port"],
    ["esdb://user:s3/cret@host:2113", "host:port"],
    ["esdb://user:s3cret@host/path", "host:port"],
    ["esdb://host?user:s3cret", "what can be set is"],
    ["esdb://user:s3cret@host?", "one question mark"],
    ["esdb://host?tls=false?s3cret", "one question mark"],
    ["esdb://user:s3cret@host?tls=s3cret", "tls has a value it can't have"],
    ["esdb://user:s3cret@host?s3cret=1", "what can be set is"],
    ["esdb://user:s3cret@host?throwOnAppendFailure=false", "what can be set is"],
    ["esdb://user:s3cret@host?tlsVerifyCert=false", "what can be set is"],
    ["esdb://user:s3cret@host?maxDiscoverAttempts=many", "maxDiscoverAttempts has a value it can't have"],
  ])("%s can't be used, and nothing of it is repeated", (url, reason) => {
    const open = () => openEventStoreDb(url);
    expect(open).toThrow(reason);
    expect(open).toThrow(expect.not.objectContaining({ message: expect.stringContaining("s3cret") }));
  });
});
