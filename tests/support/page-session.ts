import { expect } from "@jest/globals";

/** A session of the operator's page without a browser: its cookie, which whoever copies it may send to any instance. */
export class PageSession {
  readonly #value: string;

  private constructor(value: string) {
    this.#value = value;
  }

  /** @param url of an operator interface. */
  static async signIn(url: string, token: string): Promise<PageSession> {
    const answer = await post(url, "/sign-in", {}, { token, name: "Grace Hopper" });
    expect(answer.status).toBe(303);
    return new PageSession(/=([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? "")?.[1] ?? "");
  }

  /** 200, or 303 to who has to sign in. */
  async visit(url: string): Promise<number> {
    const answer = await fetch(url, { headers: this.#headers(url), redirect: "manual" });
    await answer.body?.cancel();
    return answer.status;
  }

  async signOut(url: string): Promise<void> {
    const page = await (await fetch(url, { headers: this.#headers(url) })).text();
    const [, formToken = ""] = /name="formToken" value="([^"]+)"/.exec(page) ?? [];
    expect((await post(url, "/sign-out", this.#headers(url), { formToken })).status).toBe(303);
  }

  /** The cookie's name has the port of the instance. */
  #headers(url: string) {
    return { cookie: `operator_session_${new URL(url).port}=${this.#value}` };
  }
}

function post(url: string, path: string, headers: Readonly<Record<string, string>>, form: Record<string, string>) {
  return fetch(url + path, {
    method: "POST",
    headers: { ...headers, origin: url },
    body: new URLSearchParams(form),
    redirect: "manual",
  });
}
