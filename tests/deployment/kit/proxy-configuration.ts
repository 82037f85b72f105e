import fs from "node:fs";
import path from "node:path";

export const TEMPLATE = path.resolve(import.meta.dirname, "../../../docker/proxy/nginx.conf.template");

const VARIABLE = /\$\{?(PROXY_[A-Z_]+)\}?/g;

/** What the template leaves open; in the container docker-compose.yml says it. */
export function templateVariables(): readonly string[] {
  const names = [...fs.readFileSync(TEMPLATE, "utf8").matchAll(VARIABLE)].map(([, name = ""]) => name);
  return [...new Set(names)].sort();
}

/**
 * The proxy's configuration, rendered as the nginx image does it: these names and no others.
 * @throws Error a variable is not given.
 */
export function proxyConfiguration(variables: Readonly<Record<string, string>>): string {
  return fs.readFileSync(TEMPLATE, "utf8").replace(VARIABLE, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`the template has a variable ${name} that nobody sets`);
    return value;
  });
}
