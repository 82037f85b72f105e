import { z } from "zod";

const strings = z.array(z.string());
const labels = z.record(z.string(), z.string());
const pods = z.strictObject({ matchLabels: labels });

const variable = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .strictObject({
      secretKeyRef: z.strictObject({ name: z.string(), key: z.string(), optional: z.literal(true).optional() }),
    })
    .optional(),
});

const probe = z.looseObject({
  exec: z.strictObject({ command: strings }).optional(),
  httpGet: z.strictObject({ path: z.string(), port: z.int() }).optional(),
  tcpSocket: z.strictObject({ port: z.int() }).optional(),
  periodSeconds: z.int(),
  failureThreshold: z.int().optional(),
});

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  args: strings.optional(),
  envFrom: z.tuple([z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) })]),
  env: z.array(variable).nullable(),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  lifecycle: z.strictObject({
    preStop: z.strictObject({ sleep: z.strictObject({ seconds: z.int() }) }),
  }),
  securityContext: z.unknown(),
  resources: z.strictObject({ requests: labels, limits: labels }),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string(), subPath: z.string().optional() })),
});

const pod = z.strictObject({
  automountServiceAccountToken: z.boolean(),
  enableServiceLinks: z.boolean(),
  shareProcessNamespace: z.boolean(),
  terminationGracePeriodSeconds: z.int(),
  securityContext: z.unknown(),
  topologySpreadConstraints: z.array(z.looseObject({ topologyKey: z.string(), labelSelector: pods })),
  containers: z.tuple([container]),
  volumes: z.array(
    z.union([
      z.strictObject({
        name: z.string(),
        emptyDir: z.strictObject({ medium: z.literal("Memory"), sizeLimit: z.string() }),
      }),
      z.strictObject({ name: z.string(), configMap: z.strictObject({ name: z.string() }) }),
    ]),
  ),
});

const metadata = z.strictObject({ name: z.string(), labels: labels.optional() });
const head = <Version extends string, Kind extends string>(apiVersion: Version, kind: Kind) => ({
  apiVersion: z.literal(apiVersion),
  kind: z.literal(kind),
  metadata,
});

const port = z.strictObject({ port: z.int(), protocol: z.enum(["TCP", "UDP"]).default("TCP") });
const peer = z.strictObject({
  podSelector: pods.optional(),
  namespaceSelector: pods.optional(),
  ipBlock: z.strictObject({ cidr: z.string(), except: strings.default([]) }).optional(),
});
const ports = z.array(port).min(1);
const rules = <Rule extends z.ZodType>(rule: Rule) =>
  z
    .array(rule)
    .nullable()
    .transform((all) => all ?? []);

/** Every kind of object that the chart makes, with no more in it than what is listed here. */
export const renderedObject = z.discriminatedUnion("kind", [
  z.strictObject({
    ...head("apps/v1", "Deployment"),
    spec: z.strictObject({
      replicas: z.int().optional(),
      strategy: z.unknown(),
      selector: pods,
      template: z.strictObject({ metadata: z.strictObject({ labels, annotations: labels }), spec: pod }),
    }),
  }),
  z.strictObject({
    ...head("v1", "Service"),
    spec: z.strictObject({
      clusterIP: z.literal("None").optional(),
      publishNotReadyAddresses: z.literal(true).optional(),
      selector: labels,
      ports: z.tuple([z.strictObject({ port: z.int(), targetPort: z.int().optional() })]),
    }),
  }),
  z.strictObject({ ...head("v1", "ConfigMap"), data: labels }),
  z.strictObject({
    ...head("policy/v1", "PodDisruptionBudget"),
    spec: z.strictObject({ maxUnavailable: z.int(), selector: pods }),
  }),
  z.strictObject({
    ...head("autoscaling/v2", "HorizontalPodAutoscaler"),
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({ apiVersion: z.string(), kind: z.string(), name: z.string() }),
      minReplicas: z.int(),
      maxReplicas: z.int(),
      metrics: z.unknown(),
    }),
  }),
  z.strictObject({
    ...head("networking.k8s.io/v1", "NetworkPolicy"),
    spec: z.strictObject({
      podSelector: pods,
      policyTypes: strings,
      ingress: rules(z.strictObject({ from: z.array(peer).min(1), ports })),
      egress: rules(z.strictObject({ to: z.array(peer).min(1), ports: ports.optional() })),
    }),
  }),
]);

export type RenderedObject = z.infer<typeof renderedObject>;
export type Kind = RenderedObject["kind"];
export type Rendered<Wanted extends Kind> = Extract<RenderedObject, { readonly kind: Wanted }>;
