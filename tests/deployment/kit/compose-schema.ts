import { z } from "zod";

const strings = z.array(z.string());

const connection = z.strictObject({ aliases: strings.optional(), ipv4_address: z.string().optional() });
const connections = z.record(z.string(), connection);
/** A list of names says no more than a map of them to nothing. */
const listed = strings.transform(
  (names): z.infer<typeof connections> => Object.fromEntries(names.map((name) => [name, {}])),
);

const healthcheck = z.strictObject({
  test: strings.min(2),
  interval: z.string(),
  timeout: z.string(),
  start_period: z.string(),
  start_interval: z.string(),
  retries: z.int(),
});

const limits = z.strictObject({ cpus: z.string(), memory: z.string().regex(/^\d+[MG]$/), pids: z.int() });

const container = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), target: z.string() }).optional(),
  profiles: strings.default([]),
  pull_policy: z.literal("never").optional(),
  init: z.boolean().default(false),
  platform: z.string().optional(),
  entrypoint: strings.optional(),
  command: strings.optional(),
  user: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(["service_healthy", "service_completed_successfully"]) }))
    .default({}),
  networks: z.union([listed, connections]).default({}),
  network_mode: z.literal("none").optional(),
  ports: strings.default([]),
  volumes: strings.default([]),
  tmpfs: strings.default([]),
  read_only: z.boolean().default(false),
  restart: z.enum(["unless-stopped", "always", "no"]),
  cap_drop: strings,
  security_opt: strings,
  ulimits: z.record(z.string(), z.int()).optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }),
  stop_grace_period: z.stringFormat("seconds", /^\d+s$/).optional(),
  healthcheck: z.union([healthcheck, z.strictObject({ disable: z.literal(true) })]),
  deploy: z.strictObject({
    replicas: z.stringFormat("number", /^\d+$/).optional(),
    resources: z.strictObject({ limits }),
  }),
});

const subnet = z.strictObject({ subnet: z.string(), ip_range: z.string() });
const network = z.strictObject({
  internal: z.boolean().default(false),
  ipam: z.strictObject({ config: z.array(subnet) }).optional(),
});

/** As much of the Compose specification as docker-compose.yml uses; anything else in it is an error. */
export const composeFile = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), container),
  networks: z.record(z.string(), network),
  volumes: z.record(z.string(), z.strictObject({})),
});

export type ComposeFile = z.infer<typeof composeFile>;
export type Container = z.infer<typeof container>;
