import { expect } from "@jest/globals";
import { ApiClient } from "../../support/api-client.ts";
import type { IssuedKey } from "../../support/operator-caller.ts";
import { Service } from "../../support/service.ts";

/** One account does everything on one flight. */
const ENVIRONMENT = { SANDBOX_CLOCK: "true", RATE_LIMIT_PER_MINUTE: "0", QUOTA_UNPAID_SEATS_PERCENT: "100" };

/**
 * The service on one data folder, killed at a named step of one request and started again on what is left. What earlier
 * cases left stays.
 */
export class CrashableService {
  readonly credential: IssuedKey;
  readonly #steps: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  #service: Service;
  #armedFor: string;

  private constructor(
    service: Service,
    credential: IssuedKey,
    steps: readonly string[],
    env: Readonly<Record<string, string>>,
  ) {
    this.#service = service;
    this.credential = credential;
    this.#steps = steps;
    this.#env = env;
    this.#armedFor = steps[0] ?? "";
  }

  /**
   * @param steps the steps of all cases, in their order. After each crash the service is armed for the next one at once,
   * which saves a start for each case; finishing what one case left must not reach the step of the next.
   */
  static async start(steps: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<CrashableService> {
    const env = { ...ENVIRONMENT, ...more };
    const service = await Service.start({ env, simulated: { powerCutAt: steps[0] ?? "" } });
    return new CrashableService(service, await service.newApiKey(), steps, env);
  }

  /** The one that runs now. */
  get service(): Service {
    return this.#service;
  }

  get api(): ApiClient {
    return new ApiClient(this.#service.baseUrl, this.credential);
  }

  /** Starts it again, armed for this step, unless it runs so already. */
  async arm(step: string): Promise<void> {
    const { dataDir, process } = this.#service;
    const runs = process.exitCode === null && process.signalCode === null;
    if (runs && this.#armedFor === step) return;
    if (runs) await this.#service.stop();
    this.#service = await Service.start({ dataDir, env: this.#env, simulated: { powerCutAt: step } });
    this.#armedFor = step;
  }

  /** Resolves when it has killed itself and runs again. */
  async waitUntilCrashedAndRestart(): Promise<void> {
    expect((await this.#service.ended).signal).toBe("SIGKILL");
    await this.arm(this.#steps[this.#steps.indexOf(this.#armedFor) + 1] ?? "");
  }

  /** The request during which it dies: there is no answer to it. */
  async crashDuring(step: string, request: (api: ApiClient) => Promise<unknown>): Promise<void> {
    await this.arm(step);
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
