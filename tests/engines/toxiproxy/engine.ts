import type { TestEngine } from "../engine.ts";
import { freePort } from "../processes/free-port.ts";
import { ToxiproxyApi } from "./api.ts";
import { type FaultProxy, ToxicProxy } from "./proxy.ts";
import { upstreamOf } from "./upstream.ts";

/** Its url is that of its HTTP API. Its proxies end with it. */
export interface ToxiproxyEngine extends Pick<TestEngine, "url" | "stop"> {
  /**
   * A proxy on a free port of 127.0.0.1, which stays the same.
   * @param upstream the url of a server (of one host), or its host and port
   */
  proxy(upstream: string): Promise<FaultProxy>;
}

/** @param url of the HTTP API. */
export function toxiproxyEngine(url: string, stop: () => Promise<void>): ToxiproxyEngine {
  const api = new ToxiproxyApi(url);
  return {
    url,
    stop,
    async proxy(target) {
      const upstream = upstreamOf(target);
      const port = await freePort();
      const address = `127.0.0.1:${port}`;
      const name = `to-${upstream.address.replace(":", "-")}-by-${port}`;
      await api.createProxy(name, address, upstream.address);
      return new ToxicProxy(api, name, port, upstream.urlAt(address));
    },
  };
}
