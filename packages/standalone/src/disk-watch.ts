import type { DiskLevel, DiskSpace } from "@travel-booking/engines/disk-space";
import { DISK_LEVELS } from "@travel-booking/engines/disk-space";
import { type ApiResponse, unavailable } from "@travel-booking/http";
import type { Metrics } from "@travel-booking/runtime";
import type { ServiceContext } from "@travel-booking/service-host";

/** Real time between two looks at a disk that nobody writes. */
const INTERVAL_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;
const MEGABYTE = 1_048_576;

const NO_UPLOADS = unavailable(
  "disk_full",
  "The service is short of disk space and takes no uploads; nothing was attempted. Try again later.",
  RETRY_AFTER_SECONDS,
);
const NO_WRITES = unavailable(
  "disk_full",
  "The service is short of disk space and changes nothing; nothing was attempted. Try again later.",
  RETRY_AFTER_SECONDS,
);

const CHANGES: Readonly<Record<DiskLevel, string>> = {
  ok: "the disk has room again: everything is taken",
  "no uploads": "the disk of DATA_DIR is short of space: uploads are refused until space is freed",
  "no writes": "the disk of DATA_DIR is nearly full: nothing is written until space is freed; reads go on",
};

/** Logs each change of what is refused for want of space, and gives the metrics (docs/rules.md#a-disk-that-runs-full). */
export function watchDisk(disk: DiskSpace, { logger, shutdown }: ServiceContext, metrics: Metrics) {
  metrics.gauge("disk_free_bytes", "Free space on the file system of DATA_DIR.", () => disk.free);
  metrics.gauge("disk_level", "0: everything is taken, 1: no uploads, 2: no writes.", () =>
    DISK_LEVELS.indexOf(disk.level),
  );
  let told: DiskLevel = "ok";
  const look = () => {
    const { level } = disk;
    if (level === told) return;
    told = level;
    logger[level === "ok" ? "info" : "warn"]({ freeMb: megabytes(disk) }, CHANGES[level]);
  };
  look();
  const timer = setInterval(look, INTERVAL_MS);
  timer.unref();
  shutdown.register("disk", async () => clearInterval(timer));
  return {
    refuseWrite(isUpload: boolean): ApiResponse | undefined {
      if (!disk.takesCommands) return NO_WRITES;
      return isUpload && !disk.takesUploads ? NO_UPLOADS : undefined;
    },
    /** Reads and commands are served without uploads, so only a disk that takes neither counts. */
    readiness: {
      disk: () =>
        disk.takesCommands ||
        `the disk of DATA_DIR is nearly full (${megabytes(disk)} MB are free): nothing is written until space is freed`,
    },
  };
}

function megabytes({ free }: DiskSpace): number {
  return Math.floor(free / MEGABYTE);
}
