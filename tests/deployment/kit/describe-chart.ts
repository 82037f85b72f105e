import { ofKind, renderChart, SAID } from "./chart.ts";
import type { RenderedObject } from "./chart-schema.ts";
import { readComposeFile } from "./compose-file.ts";
import type { Container } from "./compose-schema.ts";
import { describeWithCommand } from "./describe-with-command.ts";

/** What the Secret of the tests has. Those without a value need not be there. */
export const SECRETS: Readonly<Record<string, string>> = {
  SECRET_KEY: "k".repeat(43),
  OPERATOR_TOKEN: "t".repeat(43),
  EVENT_STORE_URL: "esdb://192.0.2.10:2113?tls=false",
  MONGODB_URL: "mongodb://192.0.2.20/travel_booking",
  REDIS_URL: "redis://192.0.2.30",
  SECRET_KEY_PREVIOUS: "",
  STRIPE_SECRET_KEY: "",
  STRIPE_WEBHOOK_SECRET: "",
};

const ENGINES = ["eventstore", "mongodb", "redis"];

/** What the chart makes of what an operator has to say, beside docker-compose.yml. */
export class Chart {
  readonly helm: string;
  readonly composed = readComposeFile();
  /** What both have. */
  readonly components: readonly string[] = Object.keys(this.composed.services)
    .filter((name) => !ENGINES.includes(name) && name !== "secrets")
    .sort();
  #objects: readonly RenderedObject[] | undefined;

  constructor(helm: string) {
    this.helm = helm;
  }

  get objects(): readonly RenderedObject[] {
    this.#objects ??= this.render();
    return this.#objects;
  }

  get deployments() {
    return ofKind(this.objects, "Deployment");
  }

  get services() {
    return ofKind(this.objects, "Service");
  }

  get policies() {
    return ofKind(this.objects, "NetworkPolicy");
  }

  get files() {
    return ofKind(this.objects, "ConfigMap");
  }

  /** @param said besides what has to be. @throws Error what Helm says against it. */
  render(said: object = {}): readonly RenderedObject[] {
    return renderChart(this.helm, { ...SAID, ...said });
  }

  /** In docker-compose.yml. */
  inCompose(component: string): Container {
    return this.composed.services[component]!;
  }

  podOf(component: string) {
    return this.deployments[component]!.spec.template.spec;
  }

  containerOf(component: string) {
    return this.podOf(component).containers[0];
  }

  /** As the program sees it: what the chart says, and the Secret. */
  environmentOf(component: string): Readonly<Record<string, string>> {
    const { env, envFrom } = this.containerOf(component);
    const own = (env ?? []).map(({ name, value, valueFrom }) => [
      name,
      value ?? SECRETS[valueFrom?.secretKeyRef.key ?? ""]!,
    ]);
    return { ...this.files[envFrom[0].configMapRef.name]!.data, ...Object.fromEntries(own) };
  }
}

/** A describe that needs Helm. */
export function describeChart(title: string, cases: (chart: Chart) => void): void {
  describeWithCommand("helm", `the chart for Kubernetes: ${title}`, (helm) => cases(new Chart(helm)));
}
