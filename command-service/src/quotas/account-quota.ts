import { LRUCache } from "lru-cache";

/** The most accounts in memory. Those that used a quota last stay. */
const MAX_ACCOUNTS = 10_000;
/** The part of a quota that may be granted on counts that are out of date. */
const UNCERTAIN_PART = 1 / 4;

export interface AccountQuotaOptions {
  /** The name of the quota in rejections. */
  readonly name: string;
  /** What one account may have; 0: no bound. */
  readonly most: number;
  /** What an account has in the read models. It need not count further than `most`. */
  readonly count: (accountId: string) => Promise<number>;
  /** Resolves when the read models show all that was acknowledged before. */
  readonly caughtUp: () => Promise<unknown>;
  /** True: no other process grants anything. */
  readonly soleWriter: boolean;
}

/** What an account has of something; `used` is counted no further than `most`, and `most` is null without a bound. */
export interface QuotaUse {
  readonly quota: string;
  readonly used: number;
  readonly most: number | null;
}

/** Something an account takes of a quota. */
export interface Grant {
  /** Takes more. False: too little is left, and nothing was taken. */
  extend(amount: number): Promise<boolean>;
  /** How much of it is used in the end. Only the first call counts. */
  end(used: number): void;
}

/** What this process knows of an account. It does not know what was given back. */
interface Known {
  /** All that was granted, less what was not used in the end. */
  granted: number;
  /** The part of it that has not ended. */
  underWay: number;
  /** `granted` may rise to this before the read models are asked again. */
  allowance: number;
  /** `granted` when the read models were last known to be up to date. */
  grantedBefore: number;
}

/**
 * A bound on what each account has of something that the read models count (docs/rules.md#quotas).
 *
 * A count leaves an allowance, which is granted from memory. Grants under way at the count are subtracted from it. If an
 * account has more than a quarter of the quota, or was granted as much since then, the count first waits until the read
 * models have caught up. So a client that does one thing after the other meets the bound exactly, and one process never
 * exceeds it. A grant that ends during a count may be counted twice. Such a count refuses nothing; another one follows. So
 * a refused amount does not fit beside the grants under way, some of which may fail later. If other processes write, too,
 * every grant needs a count of its own, and the grants of others at that moment may exceed the bound.
 */
export class AccountQuota {
  readonly #options: AccountQuotaOptions;
  readonly #accounts = new LRUCache<string, Known>({ max: MAX_ACCOUNTS });

  constructor(options: AccountQuotaOptions) {
    this.#options = options;
  }

  get rejection() {
    const { name: quota, most } = this.#options;
    return { code: "quota_exceeded", facts: { quota, most } } as const;
  }

  /** The use of an account in the read models. */
  async useOf(accountId: string): Promise<QuotaUse> {
    const { name: quota, most, count } = this.#options;
    return { quota, used: await count(accountId), most: most === 0 ? null : most };
  }

  /** Takes from the quota. Undefined: the account has too little left. Every grant has to be ended. */
  async take(accountId: string, amount = 1): Promise<Grant | undefined> {
    if (this.#options.most === 0) return UNBOUNDED;
    const known = this.#known(accountId);
    // No `await` in the usual case, because it would slow every hold.
    if (!this.#grantFromMemory(known, amount) && !(await this.#grantAfterLook(accountId, known, amount)))
      return undefined;
    let taken = amount;
    let isOpen = true;
    return {
      extend: async (more) => {
        const isGranted = this.#grantFromMemory(known, more) || (await this.#grantAfterLook(accountId, known, more));
        if (isGranted) taken += more;
        return isGranted;
      },
      end(used) {
        if (!isOpen) return;
        isOpen = false;
        known.underWay -= taken;
        known.granted -= taken - used;
      },
    };
  }

  #known(accountId: string): Known {
    const known = this.#accounts.get(accountId) ?? { granted: 0, underWay: 0, allowance: 0, grantedBefore: 0 };
    this.#accounts.set(accountId, known);
    return known;
  }

  #grantFromMemory(known: Known, amount: number): boolean {
    return this.#options.soleWriter && grant(known, amount);
  }

  async #grantAfterLook(accountId: string, known: Known, amount: number): Promise<boolean> {
    for (;;) {
      const { allowance, ended } = await this.#look(accountId, known, amount);
      // If no other process writes, an earlier allowance stays true.
      known.allowance = this.#options.soleWriter ? Math.max(known.allowance, allowance) : allowance;
      if (grant(known, amount)) return true;
      if (ended === endedOf(known)) return false;
    }
  }

  /**
   * What `granted` may rise to, and what had ended before the count. Undefined: the count was out of date, so it shows
   * what can be granted, but not what can't.
   */
  async #look(
    accountId: string,
    known: Known,
    amount: number,
  ): Promise<{ readonly allowance: number; readonly ended: number | undefined }> {
    const { most, count, caughtUp } = this.#options;
    const uncertain = known.granted - known.grantedBefore + amount;
    const has = await count(accountId);
    if (has + uncertain <= most * UNCERTAIN_PART) {
      return { allowance: known.grantedBefore + most * UNCERTAIN_PART - has, ended: undefined };
    }
    const ended = endedOf(known);
    await caughtUp();
    const allowance = ended + most - (await count(accountId));
    known.grantedBefore = ended;
    return { allowance, ended };
  }
}

function endedOf({ granted, underWay }: Known): number {
  return granted - underWay;
}

function grant(known: Known, amount: number): boolean {
  if (known.granted + amount > known.allowance) return false;
  known.granted += amount;
  known.underWay += amount;
  return true;
}

const UNBOUNDED: Grant = { extend: async () => true, end: () => undefined };
