/** What a server that the environment names cannot do for us. */
export interface ServerRequirements {
  /** Kills and restarts it: a server of the environment will not do. */
  readonly killable?: boolean;
}

/** Why the server that this variable names cannot be used. */
export function environmentMissingReason(
  variable: string,
  { killable = false }: ServerRequirements,
): string | undefined {
  if ((process.env[variable] ?? "") === "") return `${variable} is not set`;
  return killable ? `the server of ${variable} is not ours to kill` : undefined;
}

/** The `kill` and `restart` of a server that this variable names. */
export function uncontrollable(variable: string) {
  const refuse = async (): Promise<void> => {
    throw new Error(`the server of ${variable} is not ours to kill: ask for one that is { killable: true }`);
  };
  return { kill: refuse, restart: refuse };
}
