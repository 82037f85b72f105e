import { CURRENT_API_VERSION } from "@travel-booking/api-contract";
import { type CredentialKind, type Rejection, SCOPES } from "@travel-booking/domain";
import { parseBody } from "@travel-booking/engines/read-store";
import { generateApiKey, generateClientSecret, hashSecret, prefixOfApiKey } from "@travel-booking/http";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import {
  ACCOUNTS,
  type AccountRow,
  ALL_PARTITION,
  type CredentialRow,
  lastUses,
  type UsedCredentialRow,
} from "@travel-booking/read-models";
import { accountIdOf, credentialIdOf } from "@travel-booking/runtime";
import { untilAllowedHaveStarted } from "@travel-booking/webhooks/deliveries";
import { z } from "zod";
import { accountStream } from "../streams.ts";
import { line, listAll, type OperatorServices, operatorContext, parse } from "./operator-services.ts";

const newAccount = z.strictObject({ name: line(200) });

const named = z.strictObject({ ids: z.array(z.string().max(200)).max(1_000) });

/** `account create`, `list`, `show`, `suspend`, `resume`; the names of accounts and credentials by their ids. */
export function accountRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute(
      "POST",
      "/operator/accounts",
      async (request) => {
        const { name } = parse(newAccount, request.body);
        const accountId = accountIdOf(request.command.commandId);
        const { position } = await services.handler.execute({
          ...accountStream(accountId),
          newStream: true,
          command: { type: "OpenAccount", accountId, name, apiVersion: CURRENT_API_VERSION },
          context: operatorContext(request, { accountId }),
          reply: () => undefined,
        });
        await services.waitUntilProjected(position);
        return { id: accountId, name };
      },
      201,
    ),
    operatorRoute("GET", "/operator/accounts", async () => ({
      data: await listAll(services.models, ACCOUNTS.account.model, ACCOUNTS.account.all, ALL_PARTITION),
    })),
    operatorRoute("POST", "/operator/names", async ({ body }) => ({
      names: await namesOf(services, parse(named, body).ids),
    })),
    operatorRoute("GET", "/operator/accounts/:id", async ({ params: { id = "" } }) => {
      const { models, quotas } = services;
      const account = await models.body(ACCOUNTS.account.model, id);
      if (account === undefined) throw new OperatorError(404, "no account with this id");
      const { openHolds, passengers, documents, documentBytes } = quotas;
      const uses = [openHolds, passengers, documents, documentBytes].map((quota) => quota.useOf(id));
      return { ...parseBody<AccountRow>(account), quotas: await Promise.all(uses) };
    }),
    operatorRoute("POST", "/operator/accounts/:id/suspend", (request) =>
      setStatus(services, request, "SuspendAccount"),
    ),
    operatorRoute("POST", "/operator/accounts/:id/resume", (request) => setStatus(services, request, "ResumeAccount")),
  ];
}

async function namesOf(
  { models }: OperatorServices,
  ids: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const names: Record<string, string> = {};
  for (const id of ids) {
    const { model } = id.startsWith("acc_") ? ACCOUNTS.account : ACCOUNTS.credential;
    const body = await models.body(model, id);
    const { name = null } = body === undefined ? {} : parseBody<{ readonly name: string | null }>(body);
    if (name !== null) names[id] = name;
  }
  return names;
}

async function setStatus(
  services: OperatorServices,
  request: OperatorRequest,
  type: "SuspendAccount" | "ResumeAccount",
) {
  const accountId = request.params.id ?? "";
  const outcome = await services.handler.execute({
    ...accountStream(accountId),
    command: { type },
    context: operatorContext(request, { accountId }),
    reply: (account) =>
      account.status === "unopened" ? undefined : { id: account.accountId, name: account.name, status: account.status },
  });
  if (!outcome.accepted) throw refusal(outcome.rejection);
  await services.waitUntilProjected(outcome.position);
  if (type === "SuspendAccount") await untilAllowedHaveStarted();
  return outcome.reply;
}

function refusal({ code }: Rejection): OperatorError {
  return code === "account_erased"
    ? new OperatorError(409, "the account is erased")
    : new OperatorError(404, "no account with this id");
}

const newCredential = z.strictObject({
  accountId: z.string().min(1).max(200),
  kind: z.enum(["api-key", "oauth-client"]),
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  name: line(200).optional(),
  test: z.boolean().optional(),
});

const SECRET_LOST = "it was made, but its secret is lost, for the service ended meanwhile: revoke it, and make another";

/** `credential create`, `list`, `revoke`. A secret is returned once and stored nowhere. */
export function credentialRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute(
      "POST",
      "/operator/credentials",
      async (request) => {
        const { accountId, kind, scopes, name, test } = parse(newCredential, request.body);
        const credentialId = credentialIdOf(request.command.commandId);
        const secret = newSecret(kind, credentialId, test);
        const outcome = await services.handler.execute({
          ...accountStream(accountId),
          command: {
            type: "IssueCredential",
            credentialId,
            kind,
            name: name ?? null,
            scopes: scopes === undefined ? SCOPES : [...new Set(scopes)],
            secretHash: secret.hash,
            clientId: secret.clientId,
            ...(secret.prefix !== undefined && { prefix: secret.prefix }),
          },
          context: operatorContext(request, { accountId }),
          reply: (account) => account.status !== "unopened" && account.credentials.get(credentialId)?.secretHash,
        });
        if (!outcome.accepted) throw refusal(outcome.rejection);
        if (outcome.reply !== secret.hash) throw new OperatorError(409, `${credentialId}: ${SECRET_LOST}`);
        await services.waitUntilProjected(outcome.position);
        return { id: credentialId, ...secret.shownOnce };
      },
      201,
    ),
    operatorRoute("GET", "/operator/credentials", async () => ({ data: await usedCredentials(services) })),
    operatorRoute("DELETE", "/operator/credentials/:id", async (request) => {
      const credentialId = request.params.id ?? "";
      const known = await services.models.body(ACCOUNTS.credential.model, credentialId);
      if (known === undefined) throw new OperatorError(404, "no credential with this id");
      const { accountId } = parseBody<{ accountId: string }>(known);
      const { position } = await services.handler.execute({
        ...accountStream(accountId),
        command: { type: "RevokeCredential", credentialId },
        context: operatorContext(request, { accountId }),
        reply: () => undefined,
      });
      await services.waitUntilProjected(position);
      return { id: credentialId, status: "revoked" };
    }),
  ];
}

async function usedCredentials({ models, state }: OperatorServices): Promise<readonly UsedCredentialRow[]> {
  const { model, all } = ACCOUNTS.credential;
  const rows = (await listAll(models, model, all, ALL_PARTITION)) as readonly CredentialRow[];
  const uses = await lastUses(state);
  return rows.map((row) => {
    const at = uses.get(row.id);
    return { ...row, lastUsedAt: at === undefined ? null : new Date(at).toISOString() };
  });
}

interface NewSecret {
  readonly hash: string;
  readonly clientId: string | null;
  /** Of an API key. */
  readonly prefix?: string;
  readonly shownOnce: Readonly<Record<string, string>>;
}

function newSecret(kind: CredentialKind, credentialId: string, isTest = false): NewSecret {
  if (kind === "api-key") {
    const apiKey = generateApiKey(isTest ? "test" : "live");
    return { hash: hashSecret(apiKey), clientId: null, prefix: prefixOfApiKey(apiKey), shownOnce: { apiKey } };
  }
  const clientId = `cli_${credentialId.slice(credentialId.indexOf("_") + 1)}`;
  const clientSecret = generateClientSecret();
  return { hash: hashSecret(clientSecret), clientId, shownOnce: { clientId, clientSecret } };
}
