import { execFile } from "node:child_process";
import { readdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Metrics } from "@travel-booking/runtime";
import { makeFolder } from "@travel-booking/runtime/durable-files";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import type { ServiceContext } from "@travel-booking/service-host";

const PROGRAM = join(import.meta.dirname, "../start.js");
const LOOK_EVERY_MS = 60_000;
const UNVERIFIED = ".unverified";
/** `2026-11-27T22-10-00Z`: the moment in UTC, as any file system takes it. */
const NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z$/;

/**
 * Backs up to a folder of its own every so often, and verifies it. The oldest go when a new one is verified. A copy that is
 * not whole is removed, and tried again a minute later.
 * @param to the folder of the backups.
 * @param make backs up to a new folder.
 */
export function scheduleBackups(
  { settings, logger, shutdown }: Pick<ServiceContext, "settings" | "logger" | "shutdown">,
  metrics: Metrics,
  to: string,
  make: (path: string) => Promise<unknown>,
): { readonly details: Readonly<Record<string, () => Promise<string | undefined>>>; readonly start: () => void } {
  const { backupEvery, backupKeep } = settings;
  let problem: string | undefined;
  metrics.gauge("backup_age_seconds", "Since the last scheduled backup that was verified; NaN: there is none.", () =>
    secondsSince(newest(to)),
  );
  metrics.gauge("backup_overdue", "1: the last scheduled backup failed, or is older than twice BACKUP_EVERY.", () =>
    overdue() === undefined ? 0 : 1,
  );
  const startedAt = Date.now();
  /** Why there is no backup where there should be one. */
  function overdue(): string | undefined {
    if (problem !== undefined) return `the last backup failed: ${problem}`;
    const since = newest(to) ?? startedAt;
    return secondsSince(since) > 2 * backupEvery ? `no backup since ${new Date(since).toISOString()}` : undefined;
  }

  async function look(): Promise<void> {
    if (secondsSince(newest(to)) < backupEvery) return;
    const name = nameOf(Date.now());
    const path = join(to, name + UNVERIFIED);
    try {
      makeFolder(to);
      for (const left of readdirSync(to)) if (left.endsWith(UNVERIFIED)) await rm(join(to, left), { recursive: true });
      await make(path);
      // In a process of its own: it reads much, and requests must not wait for it.
      await promisify(execFile)(process.execPath, [PROGRAM, "backup", "verify", path]);
      renameSync(path, join(to, name));
      problem = undefined;
      logger.info({ path: join(to, name) }, "a backup is made and verified");
      for (const old of verified(to).slice(0, -backupKeep)) await removeOld(join(to, old));
    } catch (error) {
      const { stderr = "", message } = error as { readonly stderr?: string; readonly message: string };
      problem = stderr.trim() || message;
      // What stays of it goes with the next one.
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
      if (!shutdown.isStopping) logger.error({ reason: problem }, "a scheduled backup failed");
    }
  }

  async function removeOld(path: string): Promise<void> {
    await rm(path, { recursive: true }).catch((err: unknown) =>
      logger.error({ err, path }, "an old backup can't be removed; the next one that is verified tries again"),
    );
  }

  return {
    details: {
      async backups() {
        const last = newest(to);
        return last === undefined ? "none yet" : `last verified ${new Date(last).toISOString()}`;
      },
      backupsOverdue: async () => overdue(),
    },
    start() {
      shutdown.run("backups", async (signal) => {
        for (; !signal.aborted; await backgroundPause(LOOK_EVERY_MS, signal)) await look();
      });
    },
  };
}

const nameOf = (at: number) => `${new Date(at).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;

/** The names of those that were verified, oldest first; none where the folder can't be read. */
function verified(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => NAME.test(name));
    return names.sort();
  } catch {
    return [];
  }
}

/** When the newest one was begun, in milliseconds since the epoch. */
function newest(folder: string): number | undefined {
  const name = verified(folder).at(-1);
  return name === undefined ? undefined : Date.parse(name.replace(NAME, "$1:$2:$3Z"));
}

const secondsSince = (at: number | undefined) => (at === undefined ? Number.NaN : (Date.now() - at) / 1_000);
