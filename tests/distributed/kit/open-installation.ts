import { importFlights, type TestFlight } from "../../support/catalogue.ts";
import { Installation, type InstallationOptions } from "../../support/distributed/installation.ts";

export interface OpenInstallationOptions extends InstallationOptions {
  readonly flights: readonly TestFlight[];
}

export interface OpenedInstallation {
  readonly installation: Installation;
  readonly apiKey: string;
}

/** Starts an installation with flights to sell and an account that may book them; requests are not limited unless `env` says so. */
export async function openInstallation({
  flights,
  env,
  ...options
}: OpenInstallationOptions): Promise<OpenedInstallation> {
  const installation = await Installation.start({
    ...options,
    env: { RATE_LIMIT_PER_MINUTE: "0", QUOTA_UNPAID_SEATS_PERCENT: "100", LOG_LEVEL: "warn", ...env },
  });
  try {
    await importFlights(installation, flights);
    const { apiKey } = await installation.newApiKey();
    return { installation, apiKey };
  } catch (error) {
    await installation.discard();
    throw error;
  }
}
