/** One setting that cannot be used. The message is one line, fit to be shown as it is. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  readonly variable: string;

  /** `got` is null for what must not be shown. */
  constructor(variable: string, got: string | null, accepts: string) {
    super(`${variable} ${got === null ? "is not usable" : `is ${shown(got)}`}: it accepts ${accepts}`);
    this.variable = variable;
  }
}

/** All settings that cannot be used; the message has one line for each. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly SettingError[];

  constructor(problems: readonly SettingError[]) {
    super(problems.map((problem) => problem.message).join("\n"));
    this.problems = problems;
  }
}

const MAX_SHOWN = 100;

/** As a JSON string, so that the message stays one line whatever was given. */
function shown(value: string): string {
  return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
}
