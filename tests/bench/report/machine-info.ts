import os from "node:os";

/** What the figures were measured on, one fact a line. */
export function machineInfo(): readonly string[] {
  const cpus = os.cpus();
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  return [
    `date: ${new Date().toISOString().slice(0, 10)}`,
    `cores: ${cpus.length} (${cpus[0]?.model.trim() ?? "unknown"})`,
    `memory: ${memory} GB`,
    `Node: ${process.version}, ${os.type()} ${os.release()} ${os.arch()}`,
  ];
}
