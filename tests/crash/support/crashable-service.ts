import { expect } from "@jest/globals";
import { ApiClient } from "../../support/api-client.ts";
import type { IssuedKey } from "../../support/operator-caller.ts";
import { Service } from "../../support/service.ts";

const ENVIRONMENT = { SANDBOX_CLOCK: "true", RATE_LIMIT_PER_MINUTE: "0" };

/**
 * The service on one data folder, killed at a named step of one request and started again on what is left. What earlier
 * cases left stays.
 */
export class CrashableService {
  readonly credential: IssuedKey;
  #service: Service;

  private constructor(service: Service, credential: IssuedKey) {
    this.#service = service;
    this.credential = credential;
  }

  static async start(): Promise<CrashableService> {
    const service = await Service.start({ env: ENVIRONMENT });
    return new CrashableService(service, await service.newApiKey());
  }

  /** The one that runs now. */
  get service(): Service {
    return this.#service;
  }

  get api(): ApiClient {
    return new ApiClient(this.#service.baseUrl, this.credential);
  }

  /** Ends it in good order, unless it has ended. @param faultPoint the step at which the next kills itself. */
  async restart(faultPoint = ""): Promise<void> {
    const { dataDir, process } = this.#service;
    if (process.exitCode === null && process.signalCode === null) await this.#service.stop();
    this.#service = await Service.start({ dataDir, env: { ...ENVIRONMENT, TEST_FAULT_POINT: faultPoint } });
  }

  /** Resolves when it has killed itself and runs again. */
  async waitUntilCrashedAndRestart(): Promise<void> {
    expect((await this.#service.ended).signal).toBe("SIGKILL");
    await this.restart();
  }

  /** The request during which it dies: there is no answer to it. */
  async crashDuring(faultPoint: string, request: (api: ApiClient) => Promise<unknown>): Promise<void> {
    await this.restart(faultPoint);
    await expect(request(this.api)).rejects.toThrow();
    await this.waitUntilCrashedAndRestart();
  }

  /** Beyond every grace, so that whatever a request left is finished or undone. */
  async advancePastGracePeriods(): Promise<void> {
    expect((await this.#service.operator("POST", "/clock/advance", { seconds: 120 })).status).toBe(200);
  }

  discard(): Promise<void> {
    return this.#service.discard();
  }
}
