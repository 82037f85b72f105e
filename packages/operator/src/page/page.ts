import { hash, randomUUID } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import { hashSecret, matchesSecretHash } from "@travel-booking/http";
import { type Html, html } from "@travel-booking/http/html";
import { endWithTexts, mayBeForeign, type WrongTokens } from "@travel-booking/http/operator";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { OperatorClient, OperatorRefused, OperatorUnreachable } from "../client/operator-client.ts";
import type { OperatorConnection } from "../client/operator-connection.ts";
import { follow } from "./follow.ts";
import { problems, unconfirmed } from "./forms.ts";
import { CONTENT_SECURITY_POLICY, page } from "./layout.ts";
import type { Action, Begun, OperatorApi, Refused, Screen, Shown, Visit } from "./screen.ts";
import { findPlace } from "./screens/find.ts";
import { ACTIONS, FILES, SCREENS } from "./screens/index.ts";
import { type Session, Sessions } from "./session.ts";
import { signInForm } from "./sign-in.ts";

export interface OperatorPageOptions {
  readonly token: string;
  /** The address of the operator interface, which is all that the page calls. */
  readonly url: () => string;
  /** Stores ended sessions for all instances. */
  readonly state: StateStore;
  /** Counts wrong tokens from browsers, too. */
  readonly wrongTokens: Pick<WrongTokens, "pauseFor" | "count">;
  /** The unavailable dependency that caused this error; undefined for other errors. */
  readonly unavailableReason: (error: unknown) => string | undefined;
  /** Resolves when the service stops. Pages then send no more updates. */
  readonly stopping: Promise<void>;
  /** Nothing that is stored changes. */
  readonly readOnly: boolean;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: () => number;
}

const NO_PAGE = "There is no such page.";

/** Room for a catalogue of many thousand flights. Only a signed-in operator may send so much. */
const LARGEST_FORM = "64mb";
const formBody = (limit: string) => express.urlencoded({ extended: false, limit });

const GUARDS = {
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "Content-Type": "text/html; charset=utf-8",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  // Under a stricter policy browsers would send forms with a null Origin.
  "Referrer-Policy": "same-origin",
};

/** The operator's page, a client of the operator interface (docs/decisions/0053-a-page-for-operators.md). */
export function operatorPage(options: OperatorPageOptions): Router {
  const { token, url, state, wrongTokens, unavailableReason, stopping, readOnly, now } = options;
  const sessions = new Sessions(token, state, now);
  const tokenHash = hashSecret(token);
  const begun: Begun = { rebuilds: new Map(), backupEnd: undefined };
  const router = express.Router();

  router.use((request, response, next) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead && request.method !== "POST") return next("router");
    response.set(GUARDS);
    if (mayBeForeign(request.headers.host))
      return refuse(response, 403, "This page is served under an address of this machine, or a name without dots.");
    if (!OWN_PATH.test(request.originalUrl)) return refuse(response, 404, NO_PAGE);
    if (isRead || isOwnOrigin(request)) return next();
    refuse(response, 403, "This form comes from another site.");
  });
  router.get("/sign-in", (request, response) => send(response, 200, signInPage(backOf(firstOf(request.query.back)))));
  router.post("/sign-in", formBody("10kb"), async (request, response) => {
    const { token: given = "", name = "", back } = formOf(request);
    const pause = wrongTokens.pauseFor(request);
    if (pause !== undefined) {
      const problem = `Too many wrong tokens came from your address: try again in ${pause} seconds.`;
      return send(response.set("Retry-After", String(pause)), 429, signInPage(backOf(back), problem));
    }
    if (!matchesSecretHash(given.trim(), tokenHash) || !isName(name)) {
      wrongTokens.count(request, "a sign-in to the operator's page has failed");
      return send(response, 401, signInPage(backOf(back), "The token is not right, or the name is missing."));
    }
    await keep(request, response, sessions.begin(name.trim()));
    response.redirect(303, backOf(back));
  });

  router.use(async (request, response, next) => {
    const session = await sessionOf(request);
    if (session === undefined) {
      const isPage = request.method === "GET" && request.path !== "/live";
      if (isPage) return response.redirect(303, `/sign-in?back=${encodeURIComponent(request.originalUrl)}`);
      return send(response, 401, signInPage(backOf(URL.parse(request.get("Referer") ?? "")?.pathname)));
    }
    response.locals.session = session;
    next();
  });
  router.use(formBody(LARGEST_FORM), (request, response, next) => {
    const { session } = response.locals as { session: Session };
    if (request.method !== "POST") return next();
    if (sessions.isFormToken(session, formOf(request).formToken)) return next();
    refuse(response, 403, "This form is not one of your session: load its page again.");
  });
  router.post("/sign-out", async (request, response) => {
    await sessions.end(response.locals.session as Session);
    response.clearCookie(cookieName("session", request), COOKIE).redirect(303, "/");
  });
  router.get("/find", (request, response) => response.redirect(303, findPlace(firstOf(request.query.word))));
  router.get("/live", (request, response) => {
    const page = followedAt(firstOf(request.query.of), response, firstOf(request.query.load));
    const mayGoOn = async () => (await sessionOf(request)) !== undefined;
    return follow(response, { page, mayGoOn, stopping });
  });

  for (const { path, type, nameOf, content } of FILES) {
    router.get(path, async (request, response) => {
      const visit = visitOf(request, response);
      const pieces = content(visit);
      try {
        // Whether there is such a file is known with its first piece.
        const first = await pieces.next();
        const name = nameOf?.(visit);
        response.type(type);
        if (name !== undefined) response.attachment(name);
        await endWithTexts(response, continued(first, pieces));
      } catch (error) {
        if (response.headersSent) throw error;
        const { code, problems: lines } = problemOf(error);
        send(
          response,
          code,
          page({ title: "There is no such file", content: html`${problems(lines)}`, operator: visit }),
        );
      }
    });
  }

  for (const screen of SCREENS) {
    router.get(screen.path, async (request, response) => {
      const { session } = response.locals as { session: Session };
      await keep(request, response, session);
      const noticeName = cookieName("notice", request);
      const notice = cookiesOf(request).get(noticeName);
      if (notice !== undefined) response.clearCookie(noticeName, COOKIE);
      const visit = visitOf(request, response);
      const { code, content } = await shown(() => screen.view(visit));
      send(response, code, pageOf(screen.title, visit, content, notice));
    });
  }
  for (const action of ACTIONS) {
    router.post(action.path, async (request, response) => {
      const form = formOf(request);
      const back = backOf(form.back);
      // What an action shows is a load of its own: two previews from one page are for two things.
      const visit = { ...visitOf(request, response, form.load), url: back, load: randomUUID() };
      const done = await run(action, request.path, visit, form);
      if (typeof done === "string") {
        const name = cookieName("notice", request);
        response.cookie(name, done.slice(0, 1_000), { ...COOKIE, maxAge: 30_000 }).redirect(303, back);
      } else if ("title" in done) {
        send(response, 200, pageOf(done.title, visit, done.content));
      } else {
        const refused: Refused = { action: request.path, form, problems: done.problems, shown: false };
        send(response, 409, await pageAgain(back, refused, response));
      }
    });
  }
  router.use((_request, response) => refuse(response, 404, NO_PAGE));
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const reason = unavailableReason(error);
    if (reason !== undefined)
      return refuse(response, 503, `${reason}: nobody knows who has signed out. Commands need no session.`);
    if ((error as { status?: unknown }).status === undefined) return next(error);
    refuse(response, 400, "This can't be read.");
  });
  return router;

  /** @param load as an earlier response named it; by default this response is a new one. */
  function visitOf(request: Request, response: Response, load: string = randomUUID()): Visit {
    const session = response.locals.session as Session;
    // Long work ends when its browser disconnects, as it does with the command line.
    const gone = new AbortController();
    response.once("close", () => response.writableFinished || gone.abort());
    return {
      api: apiFor({ url: new URL(url()), token, name: session.name, signal: gone.signal }, load),
      begun,
      name: session.name,
      readOnly,
      url: request.originalUrl,
      params: request.params as Record<string, string>,
      query: Object.fromEntries(new URL(request.originalUrl, "http://localhost").searchParams),
      formToken: sessions.formToken(session),
      nameToken: (action, name) => sessions.nameToken(session, action, name),
      load,
    };
  }

  /** The screen of one of our paths, and the visit to it; undefined if there is none. */
  function screenAt(of: string, response: Response, load?: string): { screen: Screen; visit: Visit } | undefined {
    const at = URL.parse(of, "http://localhost");
    const path = at?.pathname ?? "";
    const screen = SCREENS.find((candidate) => paramsOf(candidate, path) !== undefined);
    if (at === null || screen === undefined) return undefined;
    const params = paramsOf(screen, path) ?? {};
    const request = { originalUrl: at.pathname + at.search, params } as unknown as Request;
    return { screen, visit: visitOf(request, response, load) };
  }

  function followedAt(of: string, response: Response, load: string) {
    const at = screenAt(of, response, load);
    if (at === undefined) return undefined;
    const { screen, visit } = at;
    return {
      view: async () => (await shown(() => screen.view(visit))).content,
      // The page says what is wrong.
      version: async (known: string | undefined) => screen.version?.(visit, known).catch(() => undefined),
    };
  }

  /** The page of a form that was refused, with the form as it was sent. */
  async function pageAgain(back: string, refused: Refused, response: Response): Promise<Html> {
    const { screen, visit } = screenAt(back, response) ?? (screenAt("/", response) as { screen: Screen; visit: Visit });
    const { content } = await shown(() => screen.view({ ...visit, refused }));
    // What the form was about may be gone from the page.
    return pageOf(screen.title, visit, html`${refused.shown ? undefined : problems(refused.problems)}${content}`);
  }

  function sessionOf(request: Request): Promise<Session | undefined> {
    return sessions.open(cookiesOf(request).get(cookieName("session", request)));
  }

  async function keep(request: Request, response: Response, session: Session): Promise<void> {
    response.cookie(cookieName("session", request), await sessions.seal(session), COOKIE);
  }
}

/** Includes the port, because browsers send a cookie to every port of its host: two services would share it. */
function cookieName(what: "session" | "notice", { headers }: Request): string {
  return `operator_${what}_${URL.parse(`http://${headers.host}`)?.port ?? ""}`;
}

const COOKIE = { httpOnly: true, sameSite: "strict", path: "/" } as const;

function pageOf(title: string, visit: Visit, content: Html, notice?: string): Html {
  return page({ title, of: visit.params.id, content, notice, operator: visit });
}

function signInPage(back: string, problem?: string): Html {
  return page({ title: "Sign in", content: signInForm(back, problem) });
}

function refuse(response: Response, code: number, why: string): void {
  send(response, code, page({ title: "Refused", content: html`<p class="problem">${why}</p>` }));
}

function send(response: Response, code: number, content: Html): void {
  response.status(code).send(content.text);
}

/** @throws Error one that is no problem of the operator interface. */
function problemOf(error: unknown) {
  if (error instanceof OperatorRefused) return { code: 404, problems: error.reasons };
  if (error instanceof OperatorUnreachable) return { code: 502, problems: [error.message] };
  throw error;
}

async function shown(view: () => Promise<Html>) {
  try {
    return { code: 200, content: await view() };
  } catch (error) {
    const { code, problems: lines } = problemOf(error);
    return { code, content: html`${problems(lines)}` };
  }
}

async function run(
  action: Action,
  path: string,
  visit: Visit,
  form: Readonly<Record<string, string>>,
): Promise<string | Shown | { readonly problems: readonly string[] }> {
  const problem = action.isDangerous === true ? unconfirmed(visit, path, form) : undefined;
  if (problem !== undefined) return { problems: [problem] };
  try {
    return await action.run(visit, form);
  } catch (error) {
    return problemOf(error);
  }
}

async function* continued<Piece>(first: IteratorResult<Piece>, rest: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

function apiFor(connection: OperatorConnection, load: string): OperatorApi {
  const client = new OperatorClient(() => connection);
  const command = (method: "POST" | "DELETE", path: string, body?: object) =>
    client.request(method, path, body, hash("sha256", JSON.stringify([load, method, path, body]), "base64url"));
  return {
    get: (path) => client.request("GET", path) as Promise<never>,
    list: async (path) => ((await client.request("GET", path)) as { data: never }).data,
    post: (path, body) => command("POST", path, body) as Promise<never>,
    delete: async (path) => void (await command("DELETE", path)),
    ask: (path, body) => client.request("POST", path, body) as Promise<never>,
    lines: (method, path, body) => client.lines(method, path, body) as AsyncGenerator<never>,
  };
}

/** The parameters of the path, if it is a path of this screen. */
function paramsOf({ path }: Screen, asked: string): Readonly<Record<string, string>> | undefined {
  const pattern = new RegExp(`^${path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
  const groups = pattern.exec(asked)?.groups ?? (pattern.test(asked) ? {} : undefined);
  try {
    return groups && Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return undefined;
  }
}

/** Browsers send the origin of the page with the form. */
function isOwnOrigin({ headers }: Request): boolean {
  return URL.parse(headers.origin ?? "")?.host === headers.host?.toLowerCase();
}

/** The first value of each field. */
function formOf({ body }: Request): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(body ?? {}).map(([name, value]) => [name, firstOf(value)]));
}

/** The first value, because a query or a form may have several. */
const firstOf = (value: unknown): string => String((Array.isArray(value) ? value[0] : value) ?? "");

/** Excludes backslashes, which browsers read as slashes, and control characters, which they ignore. */
const OWN_PATH = /^\/(?![/\\])\P{Cc}*$/u;

/** Returns one of our own paths, whatever the form contains. */
function backOf(back: string | undefined): string {
  return back !== undefined && OWN_PATH.test(back) ? back : "/";
}

function isName(name: string): boolean {
  return name.trim() !== "" && name.trim().length <= 60 && !/[\p{Cc}\p{Bidi_Control}]/u.test(name);
}

function cookiesOf({ headers }: Request): ReadonlyMap<string, string> {
  const pairs = (headers.cookie ?? "")
    .split(/; */)
    .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  return new Map(pairs.map(([name, value]) => [name, decoded(value)]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
