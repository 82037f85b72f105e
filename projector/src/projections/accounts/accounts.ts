import type { AccountEvent } from "@travel-booking/domain";
import { positionSort } from "@travel-booking/engines/read-store";
import { ACCOUNTS, type AccountRow, ALL_PARTITION } from "@travel-booking/read-models";
import { foldedModel, type Projection } from "../../projection.ts";
import { aggregateIdOf, recorded } from "../recorded.ts";
import { credentialWrites } from "./credential-writes.ts";
import { foldAccount } from "./fold-account.ts";
import type { PackedAccount } from "./packed-account.ts";

const { account, credential, apiKey, client } = ACCOUNTS;
const { model } = account;

/** Customers, and what they identify themselves with. */
export const accounts: Projection = {
  name: ACCOUNTS.projection,
  version: 1,
  models: {
    [model]: foldedModel<PackedAccount>([account.all], (state, { position, created }) => {
      const { accountId: id, name, status } = state.account;
      return {
        body: JSON.stringify({ id, name, status } satisfies AccountRow),
        indexes: { [account.all]: { partition: ALL_PARTITION, sort: positionSort(created) } },
        staleAt: null,
        derivedWrites: credentialWrites(state, position),
      };
    }),
    [credential.model]: { indexes: [credential.all, credential.byAccount] },
    [apiKey.model]: { indexes: [] },
    [client.model]: { indexes: [] },
  },
  handlers: {
    account: {
      reads: (event) => [{ model, key: aggregateIdOf(event) }],
      apply(event, documents) {
        const key = aggregateIdOf(event);
        const state = foldAccount(documents.state<PackedAccount>(model, key), recorded<AccountEvent>(event));
        return [{ kind: "fold", model, key, state }];
      },
    },
  },
};
