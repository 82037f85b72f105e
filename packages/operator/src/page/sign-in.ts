import { type Html, html } from "@travel-booking/http/html";
import { field, hidden, problems } from "./forms.ts";

/** Asks for the token, and for the operator's name. */
export function signInForm(back: string, problem: string | undefined): Html {
  return html`${problems(problem === undefined ? [] : [problem])}
<form class="sign-in" method="post" action="/sign-in">${hidden("back", back)}
${field("Your name", "name", html`required maxlength="60" autocomplete="name" autofocus`)}
<p class="hint">It is recorded with everything you change.</p>
${field("Operator token", "token", html`required type="password" autocomplete="current-password"`)}
<p class="hint">OPERATOR_TOKEN, or the file operator-token in the data folder.</p>
<button class="primary">Sign in</button></form>`;
}
