import { findCommand } from "./find-command.ts";
import { installOnce, runInstaller } from "./install-once.ts";

const COPY_DEPENDENCIES = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/** Why what is written in Java cannot be had; undefined: it can, as far as can be told before it is fetched. */
export function mavenMissingReason(what: string): string | undefined {
  const missing = ["java", "javac", "mvn"].find((program) => findCommand(program) === undefined);
  return missing === undefined ? undefined : `${missing} is not installed, which ${what} needs`;
}

/** The folder of the jars that a project of Maven depends on, named without their versions. Fetched first if need be. @throws Error */
export function jarsFromMaven(name: string, project: string): Promise<string> {
  return installOnce(name, project, (into) =>
    runInstaller("mvn", [
      "--batch-mode",
      "--quiet",
      `--file=${project}`,
      COPY_DEPENDENCIES,
      `-DoutputDirectory=${into}`,
      "-Dmdep.stripVersion=true",
    ]),
  );
}
