import { expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { passengerIdOf } from "@travel-booking/runtime";
import fc from "fast-check";
import { ProcessCrashed } from "../support/crashable.ts";
import { ExternalSystems } from "../support/service.ts";
import { checkInvariants } from "./check-invariants.ts";
import { type Call, InterleavedService } from "./interleaved-service.ts";
import { BODY } from "./passenger-calls.ts";

const EMAILS = ["ada@example.com", "eve@example.com", "kim@example.com"];
const ACCOUNTS = ["acc_1", "acc_1", "acc_1", "acc_2"];
const POINTS = [
  "passenger:claimed",
  "passenger:created",
  "passenger:changed",
  "passenger:closed",
  "passenger:released",
];

interface Step {
  readonly kind: "create" | "move" | "rename" | "delete" | "recover";
  readonly email: string;
  /** Which of the client's own passengers. */
  readonly which: number;
  readonly crashesAt: string | null;
  /** When the client asks again, elsewhere, after it got no answer. */
  readonly retries: "never" | "at once" | "too late";
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom("create", "create", "move", "move", "rename", "delete", "recover"),
    email: fc.mixedCase(fc.constantFrom(...EMAILS)),
    which: fc.nat(2),
    crashesAt: fc.option(fc.constantFrom(...POINTS), { freq: 3 }),
    retries: fc.constantFrom("never", "at once", "too late"),
  }),
  { maxLength: 6 },
);

/** What the answers tell: the e-mail address of each passenger, or that nobody was told. */
type Told = Map<string, string | "unknown">;

/** One client after another, each with passengers of its own; all want the same few addresses. */
class Client {
  readonly told: Told = new Map();
  readonly #disk: ExternalSystems;
  readonly #instances: readonly InterleavedService[];
  readonly #accountId: string;

  constructor(disk: ExternalSystems, instances: readonly InterleavedService[], accountId: string) {
    this.#disk = disk;
    this.#instances = instances;
    this.#accountId = accountId;
  }

  async live(life: readonly Step[]): Promise<void> {
    for (const step of life) await this.#take(step);
  }

  async #take({ kind, email, which, crashesAt, retries }: Step): Promise<void> {
    if (kind === "recover") return this.#recover();
    const commandId = this.#disk.ids.next();
    const common = { accountId: this.#accountId, commandId, repeated: false, crashesAt };
    if (kind === "create") {
      const call = { ...common, operation: "create", body: { ...BODY, email } } as const;
      return this.#ask(call, passengerIdOf(commandId), retries);
    }
    const own = [...this.told].filter(([, told]) => told !== "unknown").map(([id]) => id);
    const id = own[which % own.length];
    if (id === undefined) return;
    if (kind === "delete") return this.#ask({ ...common, operation: "delete", id }, id, "never");
    const body = kind === "move" ? { email } : { firstName: `Ada ${which}` };
    return this.#ask({ ...common, operation: "change", id, body }, id, retries);
  }

  async #ask(call: Call, id: string, retries: Step["retries"]): Promise<void> {
    const [one, other] = this.#instances;
    try {
      const { status, body } = (await (call.repeated ? other : one)?.call(call)) ?? { status: 0, body: undefined };
      expect([200, 201, 204, 404, 409]).toContain(status);
      if (status === 204) this.told.delete(id);
      else if (status < 300 && body !== undefined) this.told.set(id, body.email);
      // Nobody else deletes it, so it is not there because an earlier attempt has.
      else if (status === 404) this.told.delete(id);
    } catch (error) {
      if (!(error instanceof ProcessCrashed)) throw error;
      if (retries === "never") this.told.set(id, "unknown");
      else {
        if (retries === "too late") await this.#recover();
        await this.#ask({ ...call, repeated: true, crashesAt: null }, id, "never");
      }
    }
  }

  /** Time passes while others are under way. */
  async #recover(): Promise<void> {
    const { clock } = this.#disk;
    clock.set(clock.now() + RECOVERY_GRACE);
    await this.#instances[0]?.runDue();
  }
}

test("whatever several clients do at once on two command-services, an address is one passenger's, and answers come true", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.tuple(...ACCOUNTS.map(() => steps)), async (scheduler, lives) => {
      const disk = new ExternalSystems();
      const instances = [new InterleavedService(disk, scheduler), new InterleavedService(disk, scheduler)];
      const clients = ACCOUNTS.map(
        (accountId, index) => new Client(disk, index % 2 === 0 ? instances : instances.toReversed(), accountId),
      );
      const all = clients.map((client, index) => client.live(lives[index] ?? []));
      await scheduler.waitFor(Promise.all(all));
      for (let open = await disk.openDueTasks(); open.length > 0; open = await disk.openDueTasks()) {
        disk.clock.set(Math.max(disk.clock.now(), open[0]?.dueAt ?? 0));
        await scheduler.waitFor(instances[0]?.runDue() ?? Promise.resolve());
      }

      const people = checkInvariants(await disk.log());
      const told = new Map(clients.flatMap((client) => [...client.told]));
      for (const [id, email] of told) if (email !== "unknown") expect(people.get(id)?.email).toBe(email.toLowerCase());
      for (const id of people.keys()) expect(told.has(id)).toBe(true);
      for (const accountId of new Set(ACCOUNTS)) {
        for (const email of EMAILS) {
          const isTaken = [...people.values()].some(
            (person) => person.accountId === accountId && person.email === email,
          );
          const call = { operation: "create", accountId, body: { ...BODY, email } } as const;
          const again = instances[1]?.call({ ...call, commandId: disk.ids.next(), repeated: false, crashesAt: null });
          expect((await scheduler.waitFor(again ?? Promise.reject()))?.status).toBe(isTaken ? 409 : 201);
        }
      }
      checkInvariants(await disk.log());
    }),
    { numRuns: 300 },
  );
});
