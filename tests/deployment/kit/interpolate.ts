type Environment = Readonly<Record<string, string | undefined>>;

/** Innermost first: what is inserted may stand inside another one. */
const EXPRESSION = /\$\{([A-Z_]+)(?::([-+])([^${}]*))?\}/;

/**
 * Puts in environment variables as Compose does, in as many of its forms as docker-compose.yml uses: `${NAME}`,
 * `${NAME:-otherwise}`, `${NAME:+instead}`, and `$$` for a dollar.
 */
export function interpolate(text: string, environment: Environment): string {
  const [escaped, dollar] = ["$$", "\u0000"];
  let rest = text.replaceAll(escaped, dollar);
  for (let found = EXPRESSION.exec(rest); found !== null; found = EXPRESSION.exec(rest)) {
    const [expression, name = "", operator, operand = ""] = found;
    rest = rest.replace(expression, () => inserted(environment[name] ?? "", operator, operand));
  }
  if (rest.includes("$")) throw new Error(`a form of interpolation that is not known here: ${rest}`);
  return rest.replaceAll(dollar, "$");
}

function inserted(value: string, operator: string | undefined, operand: string): string {
  if (operator === "-") return value === "" ? operand : value;
  if (operator === "+") return value === "" ? "" : operand;
  return value;
}
