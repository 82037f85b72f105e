import { html } from "@travel-booking/http/html";
import { facts, field, form, sectionOf, time } from "../parts.ts";
import type { Action, Screen } from "../screen.ts";

export const system: Screen = {
  path: "/system",
  title: "System",
  async view(visit) {
    const clock = async () => {
      const { now, offsetSeconds } = await visit.api.get<{ now: string; offsetSeconds: number }>("/operator/clock");
      const advance = form(
        visit,
        "/clock",
        "Move it forward",
        field("seconds", "seconds", html`required inputmode="numeric" pattern="[1-9][0-9]*"`),
      );
      return html`${facts({ "service's time": time(now), "ahead by": `${offsetSeconds} s` })}<div class="actions">${advance}</div><p class="hint">Only with SANDBOX_CLOCK=true; it never goes back.</p>`;
    };
    const backup = form(
      visit,
      "/backup",
      "Back up",
      field(
        "an empty or new folder on the service's machine",
        "path",
        html`required size="40" placeholder="/path/to/folder"`,
      ),
    );
    return html`${await sectionOf("Clock", clock)}${await sectionOf("Backup", async () => backup)}${await sectionOf("Settings", async () => facts(await visit.api.get<Record<string, string>>("/operator/settings")))}`;
  },
};

export const systemActions: readonly Action[] = [
  {
    path: "/clock",
    async run({ api }, { seconds }) {
      const { now } = await api.post<{ now: string }>("/operator/clock/advance", { seconds: Number(seconds) });
      return `All that was due is done; it is ${now}.`;
    },
  },
  {
    path: "/backup",
    async run({ api }, { path }) {
      const { bytes } = await api.post<{ bytes: number }>("/operator/backup", { path });
      return `${path}: ${bytes} bytes.`;
    },
  },
];
