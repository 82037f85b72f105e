import { execFileSync } from "node:child_process";
import path from "node:path";
import { parseAllDocuments } from "yaml";
import { type Kind, type Rendered, type RenderedObject, renderedObject } from "./chart-schema.ts";

const CHART = path.resolve(import.meta.dirname, "../../../docker/kubernetes");

/** What an operator has to say. */
export const SAID = {
  images: { registry: "registry.example.com/booking" },
  podSubnets: ["10.244.0.0/16", "fd00:1::/64"],
  engines: {
    eventStore: { to: [{ ipBlock: { cidr: "192.0.2.10/32" } }] },
    mongodb: { to: [{ ipBlock: { cidr: "192.0.2.20/32" } }] },
    redis: { to: [{ ipBlock: { cidr: "192.0.2.30/32" } }] },
  },
};

/** The oldest that the chart is for: a Helm without a cluster takes one of its own for granted. */
const KUBERNETES = "1.30.0";

/** What Helm says of the chart, with these values where it takes any. @throws Error with what it complains of. */
export function runHelm(helm: string, args: readonly string[], values?: object): string {
  const options = { input: JSON.stringify(values), encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 26 } as const;
  const given = values === undefined ? [] : ["--kube-version", KUBERNETES, "--values", "-"];
  return execFileSync(helm, [...args, CHART, ...given], options);
}

/** The objects that the chart makes in the namespace `booking`. @throws Error */
export function renderChart(helm: string, values: object = SAID): readonly RenderedObject[] {
  const text = runHelm(helm, ["template", "travel-booking", "--namespace", "booking"], values);
  const documents = parseAllDocuments(text).map((document) => document.toJS());
  // What stands before the first object of a file is a document, too.
  return documents.filter((one) => one !== null).map((one) => renderedObject.parse(one));
}

export function ofKind<Wanted extends Kind>(objects: readonly RenderedObject[], kind: Wanted) {
  const wanted = objects.filter((one): one is Rendered<Wanted> & RenderedObject => one.kind === kind);
  return Object.fromEntries(wanted.map((one) => [one.metadata.name, one])) as Readonly<
    Record<string, Rendered<Wanted>>
  >;
}
