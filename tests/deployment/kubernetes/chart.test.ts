import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { installForPython, pythonMissingReason } from "../../engines/processes/python.ts";
import { titleOfSkipped } from "../../engines/title-of-skipped.ts";
import { ofKind, renderChart, runHelm, SAID } from "../kit/chart.ts";
import { describeChart } from "../kit/describe-chart.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8");

describeChart("what it asks for and makes", (chart) => {
  const { helm } = chart;

  test("Helm finds nothing wrong with it", () => {
    expect(runHelm(helm, ["lint", "--strict"], SAID)).toMatch(/1 chart\(s\) linted, 0 chart\(s\) failed/);
  });

  test("has this release's version, which its images are tagged with unless another is named", () => {
    const { version } = JSON.parse(read("package.json"));
    expect(runHelm(helm, ["show", "chart"])).toMatch(new RegExp(`^version: ${version}$`, "m"));
    expect(chart.containerOf("projector").image).toBe(`registry.example.com/booking/travel-booking-service:${version}`);
    const tagged = chart.render({ images: { ...SAID.images, tag: "2@sha256:0" } });
    const { containers } = ofKind(tagged, "Deployment").projector!.spec.template.spec;
    expect(containers[0].image).toBe("registry.example.com/booking/travel-booking-service:2@sha256:0");
  });

  test("makes nothing before an operator has said where images, engines and pods are", () => {
    for (const place of [
      "/images/registry",
      "/podSubnets",
      "/engines/eventStore",
      "/engines/mongodb",
      "/engines/redis",
    ]) {
      expect(() => renderChart(helm, {})).toThrow(place);
    }
  });

  test.each([
    ["a setting there is not", { LOG_LEVLE: "info" }],
    ["a setting that the chart has", { PORT: "3000" }],
    ["a secret", { STRIPE_SECRET_KEY: "sk_live_1" }],
    ["a number, which would lose its digits", { QUOTA_PASSENGERS: 1_000_000 }],
  ])("takes no settings with %s", (_, settings) => {
    expect(() => chart.render({ settings })).toThrow(Object.keys(settings)[0]);
  });

  test("has all of docker-compose.yml but the engines, and what makes secrets", () => {
    expect(Object.keys(chart.deployments).sort()).toStrictEqual(chart.components);
    expect(Object.keys(chart.policies).sort()).toStrictEqual(chart.components);
    expect(Object.keys(ofKind(chart.objects, "PodDisruptionBudget")).sort()).toStrictEqual(chart.components);
  });

  test.each(chart.components)(
    "%s: image and program are those of docker-compose.yml, and the image can be built",
    (name) => {
      const { image, command, build } = chart.inCompose(name);
      const versionless = (one: string) => one.replace(/:[^:/]+$/, "");
      const expected = name === "proxy" ? image : `${SAID.images.registry}/${versionless(image)}`;
      expect([chart.containerOf(name).image, versionless(chart.containerOf(name).image)]).toContain(expected);
      expect(chart.containerOf(name).args).toStrictEqual(command);
      if (name === "proxy") return;
      const builder =
        build ?? Object.values(chart.composed.services).find((one) => one.image === image && one.build)?.build;
      expect(read("Dockerfile")).toMatch(new RegExp(`^FROM \\S+ AS ${builder?.target}$`, "m"));
    },
  );

  const reason = pythonMissingReason("kubernetes-validate");
  const title = "the schemas of Kubernetes";
  (reason === undefined ? describe : describe.skip)(
    reason === undefined ? title : titleOfSkipped(title, reason),
    () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "chart-"));
      afterAll(() => fs.rmSync(folder, { recursive: true }));

      test.each(["1.30", "1.37"])(
        "of %s have all that is made of the example of docs/operations.md, and nothing else is",
        async (version) => {
          const programs = await installForPython(
            "kubernetes-validate",
            path.join(import.meta.dirname, "../kit/kubernetes-validate.txt"),
          );
          const file = path.join(folder, "chart.objects.yaml");
          const [, example = ""] = /^### Kubernetes$.*?^```yaml\n(.*?)^```$/ms.exec(read("docs/operations.md")) ?? [];
          const values = { ...parse(example), metrics: { from: [{ namespaceSelector: {} }] } };
          fs.writeFileSync(file, runHelm(helm, ["template", "travel-booking"], values));
          const { stdout } = await promisify(execFile)(path.join(programs, "kubernetes-validate"), [
            "--strict",
            "--kubernetes-version",
            version,
            file,
          ]);
          expect(stdout.match(/ passed for resource /g)).toHaveLength(chart.objects.length);
        },
      );
    },
  );
});
