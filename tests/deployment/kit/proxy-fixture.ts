import { FakeService } from "./fake-service.ts";
import { type ProxyOptions, type ReverseProxy, startProxy } from "./proxy.ts";
import type { Upstreams } from "./upstreams.ts";

/** What a test has started, to be stopped in the end whatever has become of the test. */
export class ProxyFixture {
  readonly #started: { stop(): Promise<void> }[] = [];

  async service(...given: Parameters<typeof FakeService.start>): Promise<FakeService> {
    return this.#track(await FakeService.start(...given));
  }

  /** A proxy before these services; those that are not named are not there. */
  async proxy(upstreams: Partial<Upstreams>, options?: ProxyOptions): Promise<ReverseProxy> {
    return this.#track(await startProxy({ command: [], query: [], dispatcher: [], ...upstreams }, options));
  }

  /** The address of a service that has gone. */
  async closedAddress(): Promise<string> {
    const service = await FakeService.start("gone");
    await service.stop();
    return service.url;
  }

  async stop(): Promise<void> {
    for (const one of this.#started.splice(0).reverse()) await one.stop();
  }

  #track<Started extends { stop(): Promise<void> }>(started: Started): Started {
    this.#started.push(started);
    return started;
  }
}
