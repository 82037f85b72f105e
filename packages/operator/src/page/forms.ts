import { Html, html, type Part } from "@travel-booking/http/html";
import type { Refused, Visit } from "./screen.ts";

/** What an operator typed into a field of a form that was refused, and what is wrong with it. */
interface Typed {
  readonly value: string | undefined;
  /** Attributes that say so to whoever can't see it. */
  readonly marks: Html | undefined;
  readonly problem: Html | undefined;
}

/** A field of a form. Text of a form that was refused stays in it. */
export class Field extends Html {
  readonly name: string;
  /** Undefined: an operator can't change it, so it tells forms with the same action apart. */
  readonly fixed: string | undefined;
  readonly #render: (typed: Typed) => Html;

  constructor(name: string, render: (typed: Typed) => Html, fixed?: string) {
    super(render({ value: undefined, marks: undefined, problem: undefined }).text);
    this.name = name;
    this.fixed = fixed;
    this.#render = render;
  }

  /** As it was sent, with its problems beside it. The first wrong one gets the focus. */
  refused({ form, problems }: Refused, id: string, isFirst: boolean): Html {
    const own = problems.filter((line) => this.isAbout(line));
    if (own.length === 0) return this.#render({ value: form[this.name] ?? "", marks: undefined, problem: undefined });
    const marks = html` aria-invalid="true" aria-describedby="${id}"${isFirst ? html` autofocus` : undefined}`;
    const problem = html`<small class="wrong" id="${id}">${own.map((line) => line.slice(this.name.length + 1)).join("; ")}</small>`;
    return this.#render({ value: form[this.name] ?? "", marks, problem });
  }

  isAbout(problem: string): boolean {
    return problem.startsWith(`${this.name} `);
  }
}

/** A field under its label. `attributes` are markup; `value`: what stands in it at first. */
export function field(label: Part, name: string, attributes: Html = html`required`, value = ""): Field {
  return new Field(
    name,
    (typed) =>
      html`<label>${label}<input name="${name}" value="${typed.value ?? value}" ${attributes}${typed.marks}>${typed.problem}</label>`,
  );
}

/** What is sent along and not shown. */
export function hidden(name: string, value: string): Field {
  return new Field(name, () => html`<input type="hidden" name="${name}" value="${value}">`, value);
}

/** An amount of money as people write it in its currency. */
export function amountField(label: Part, value = ""): Field {
  return field(
    label,
    "sum",
    html`required inputmode="decimal" size="9" autocomplete="off" placeholder="905.00"`,
    value,
  );
}

/** @param texts of the values, where they differ. */
export function choice(
  label: Part,
  name: string,
  options: readonly string[],
  chosen = "",
  texts: Readonly<Record<string, string>> = { "": "any" },
  attributes?: Html,
): Field {
  const option = (value: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen ? html` selected` : ""}>${texts[value] ?? value}</option>`;
  return new Field(
    name,
    ({ value = chosen, marks, problem }) =>
      html`<label>${label}<select name="${name}"${attributes && html` ${attributes}`}${marks}>${options.map((each) => option(each, each === value))}</select>${problem}</label>`,
  );
}

/** Sends `on` if it is ticked. */
export function checkbox(label: Part, name: string): Field {
  return new Field(
    name,
    ({ value }) =>
      html`<label class="check"><input type="checkbox" name="${name}"${value === "on" ? html` checked` : undefined}><span>${label}</span></label>`,
  );
}

export function textarea(label: Part, name: string, attributes: Html): Field {
  return new Field(
    name,
    ({ value = "", marks, problem }) =>
      html`<label class="wide">${label}<textarea name="${name}" ${attributes}${marks}>${value}</textarea>${problem}</label>`,
  );
}

interface FormOptions {
  /** The shortcut that sends it. */
  readonly key?: string;
  /** `primary`: what its page is for; `danger`: it can't be undone. */
  readonly look?: "primary" | "danger";
}

/** A form that changes something. */
export function form(
  visit: Visit,
  action: string,
  label: string,
  fields: readonly Html[] = [],
  { key, look }: FormOptions = {},
): Html {
  const { formToken, load, url } = visit;
  const refused = refusedForm(visit, action, fields);
  if (refused !== undefined) refused.shown = true;
  const named = fields.filter((each) => each instanceof Field);
  const others = refused?.problems.filter((line) => !named.some((each) => each.isAbout(line))) ?? [];
  const firstWrong = named.find((each) => refused?.problems.some((line) => each.isAbout(line)));
  const shown = (each: Html) =>
    refused !== undefined && each instanceof Field
      ? each.refused(refused, `wrong-${each.name}`, each === firstWrong)
      : each;
  const shortcut = key === undefined ? undefined : html` data-key="${key}" title="key ${key}"`;
  return html`<form method="post" action="${action}"${refused && html` class="refused"`}><input type="hidden" name="formToken" value="${formToken}"><input type="hidden" name="load" value="${load}"><input type="hidden" name="back" value="${url}">${problems(others)}${fields.map(shown)}<button${look && html` class="${look}"`}${shortcut}>${label}</button></form>`;
}

/** The form that was refused, if it is this one. */
function refusedForm({ refused }: Visit, action: string, fields: readonly Html[]): Refused | undefined {
  if (refused?.action !== action) return undefined;
  const isSame = (each: Html) =>
    !(each instanceof Field) || each.fixed === undefined || refused.form[each.name] === each.fixed;
  return fields.every(isSame) ? refused : undefined;
}

/** Why something was not done. */
export function problems(lines: readonly string[]): Html | undefined {
  if (lines.length === 0) return undefined;
  if (lines.length === 1) return html`<p class="problem" role="alert">${lines[0]}</p>`;
  return html`<ul class="problem" role="alert">${lines.slice(0, MOST_PROBLEMS).map((line) => html`<li>${line}</li>`)}</ul>`;
}

const MOST_PROBLEMS = 500;

interface Danger {
  /** The name of what it is done to: the operator types it, so that it is not done to something else. */
  readonly name: string;
  /** What it does, in a sentence. */
  readonly what: Part;
  readonly fields?: readonly Html[];
}

/** What can't be undone: folded away, looks different, and is done only once somebody has typed the name of the thing. */
export function danger(visit: Visit, action: string, label: string, { name, what, fields = [] }: Danger): Html {
  const typed = field(
    html`Type <strong>${name}</strong>`,
    CONFIRMED,
    html`required autocomplete="off" autocapitalize="off" spellcheck="false"`,
  );
  const token = visit.nameToken(action, asWritten(name));
  const asked = [hidden(NAMED, name), hidden(NAME_TOKEN, token), ...fields, typed];
  const isRefused = refusedForm(visit, action, asked) !== undefined;
  return html`<details class="danger"${isRefused ? html` open` : undefined}><summary>${label}…</summary><p>${what}</p>${form(visit, action, label, asked, { look: "danger" })}</details>`;
}

const NAMED = "named";
const NAME_TOKEN = "nameToken";
const CONFIRMED = "confirm";

/** Why this dangerous action is not done; undefined if the name that its page asked for was typed. */
export function unconfirmed(
  { nameToken }: Visit,
  action: string,
  { [NAMED]: name = "", [NAME_TOKEN]: token, [CONFIRMED]: typed = "" }: Readonly<Record<string, string>>,
): string | undefined {
  if (token !== nameToken(action, asWritten(name)))
    return `${CONFIRMED} is missing: load the page of this again, nothing was done`;
  if (asWritten(typed) === asWritten(name)) return undefined;
  return `${CONFIRMED} is not ${name}: nothing was done`;
}

/** Without what nobody sees on the page. */
const asWritten = (text: string) => text.normalize("NFC").trim().replaceAll(/\s+/g, " ");
