/** Projection `accounts`: customers and what they identify themselves with. */
export const ACCOUNTS = {
  projection: "accounts",
  /** By account id. */
  account: {
    model: "accounts.account",
    /** Partition `ALL`, in the order the accounts were opened. */
    all: "all",
  },
  /** Credentials as an operator sees them, without any secret; by credential id. */
  credential: {
    model: "accounts.credential",
    /** Partition `ALL`, in the order they were issued. */
    all: "all",
    /** The same, one partition per account. */
    byAccount: "byAccount",
  },
  /** What authentication needs to know of an API key; by the hash of the key. */
  apiKey: { model: "accounts.apiKey" },
  /** The same of an OAuth client; by client id. */
  client: { model: "accounts.client" },
} as const;
