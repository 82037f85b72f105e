import type { Command } from "../command.ts";
import { row, rows } from "../responses.ts";

const ENDPOINTS = "/operator/webhook-endpoints";

export const webhookCommands: readonly Command[] = [
  {
    name: "webhook endpoints",
    arguments: [],
    options: {},
    summary: "where events are delivered, and how deliveries stand",
    async run({ client, output }) {
      await output.list(rows(await client.request("GET", ENDPOINTS)));
    },
  },
  {
    name: "webhook deliveries",
    arguments: [],
    options: { endpoint: { value: "ID", required: false } },
    summary: "the latest attempts to deliver, newest first (attempt 0: a probe of a paused endpoint)",
    async run({ client, output, optional }) {
      const id = optional("endpoint");
      const path =
        id === undefined ? "/operator/webhook-deliveries" : `${ENDPOINTS}/${encodeURIComponent(id)}/deliveries`;
      await output.list(rows(await client.request("GET", path)));
    },
  },
  {
    name: "webhook replay",
    arguments: [],
    options: { endpoint: { value: "ID", required: true }, since: { value: "T", required: true } },
    summary: "deliver the events since a moment, such as 2026-11-21T12:00:00Z, once more",
    async run({ client, output, option }) {
      const id = encodeURIComponent(option("endpoint"));
      await output.value(row(await client.request("POST", `${ENDPOINTS}/${id}/replay`, { since: option("since") })));
    },
  },
];
