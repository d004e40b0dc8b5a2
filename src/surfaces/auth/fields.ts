import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCOUNT_LIMITS } from '../../domain/account/account.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { FORM_TOKEN, formTokenOf } from './browser.ts'

/** What is wrong with fields of a form, by their names, in the order of the form; null where nothing is. */
export type Problems = Readonly<Record<string, string | null>>

export interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  /** What a browser or a password manager may fill in, in the words of the HTML standard. */
  autocomplete: string
  /** What was entered before; never a password. */
  value?: string
  hint?: string
  /** May stay empty. */
  optional?: boolean
  /** Phones offer digits to type it. */
  digits?: boolean
  /** Shown but not to be changed. */
  fixed?: boolean
  /** In a page with several forms, what tells this field from others with its name. */
  within?: string
}

/** A field with its label, a hint and what is wrong with it, all of which are read out together. */
export function field(
  {
    name,
    label,
    type = 'text',
    autocomplete,
    value = '',
    hint,
    optional = false,
    digits = false,
    fixed = false,
    within,
  }: Field,
  problems: Problems = {},
): Html {
  const id = within === undefined ? name : `${within}-${name}`
  const problem = problems[name] ?? null
  const described = [hint === undefined ? null : `${id}-hint`, problem === null ? null : `${id}-wrong`]
    .filter((text) => text !== null)
    .join(' ')
  const isFirstWrong = problem !== null && Object.entries(problems).find(([, text]) => text !== null)?.[0] === name
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"
maxlength="${MAX_LENGTH[type]}"${!optional && html` required`}${digits && html` inputmode="numeric"`}${
    OFF[type]
  }${fixed && html` readonly`}${problem !== null && html` aria-invalid="true"`}${
    described !== '' && html` aria-describedby="${described}"`
  }${isFirstWrong && html` autofocus`}>
${problem !== null && html`<p class="wrong" id="${id}-wrong">${sentence(problem)}</p>`}
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`
}

/** One of several values, as people see it. */
export interface Option {
  value: string
  label: string
  hint?: string
}

/** A group of values of which one is picked, all of them in view, with what is wrong with it. */
export function choices(
  { name, legend, options, picked }: { name: string; legend: string; options: readonly Option[]; picked: string },
  problems: Problems,
): Html {
  const problem = problems[name] ?? null
  return html`<fieldset${problem !== null && html` aria-describedby="${name}-wrong"`}>
<legend>${legend}</legend>
${options.map(
  ({ value, label, hint }) => html`<label class="choice">
<input type="radio" name="${name}" value="${value}" required${value === picked && html` checked`}>
<span>${label}${hint !== undefined && html` <span class="hint">${hint}</span>`}</span>
</label>`,
)}
${problem !== null && html`<p class="wrong" id="${name}-wrong">${sentence(problem)}</p>`}
</fieldset>`
}

/**
 * A value of several that are shown when it is touched. `spoken` begins with the label and says to listeners whose
 * value it is.
 */
export function select({
  name,
  label,
  spoken,
  options,
  picked,
  within,
}: {
  name: string
  label: string
  spoken: string
  options: readonly Option[]
  picked: string
  within: string
}): Html {
  const id = `${within}-${name}`
  return html`<div class="field">
<label for="${id}">${label}</label>
<select id="${id}" name="${name}" aria-label="${spoken}">
${options.map(
  ({ value, label: shown }) => html`<option
value="${value}"${
    value === picked &&
    html`
selected`
  }>${shown}</option>`,
)}
</select>
</div>`
}

/** A form of a page: it is sent to `action` with the token of this browser. */
export function form(request: FastifyRequest, reply: FastifyReply, action: string, body: Html): Html {
  return html`<form method="post" action="${action}" novalidate>
<input type="hidden" name="${FORM_TOKEN}" value="${formTokenOf(request, reply)}">
${body}
</form>`
}

/** A value that a form carries along unseen; nothing when there is none. */
export function hidden(name: string, value: string | null): Html | null {
  return value === null ? null : html`<input type="hidden" name="${name}" value="${value}">`
}

/** Which field a refusal is about, for a form that has such a field; null for any other refusal. */
export function problemsFrom({ code, message }: Refusal, names: readonly string[]): Problems | null {
  const [, name, reason] = /^([A-Za-z]+): (.+)$/s.exec(message) ?? []
  return code === 'validation_error' && name !== undefined && names.includes(name) ? { [name]: reason! } : null
}

/** Whether anything is wrong at all. */
export function hasProblems(problems: Problems): boolean {
  return Object.values(problems).some((problem) => problem !== null)
}

/** Said below every field for a new password, before anybody chooses one that will not do. */
const PASSWORD_HINT = `${ACCOUNT_LIMITS.passwordMin} characters at least. A few words that you make up are good.`

/** Where somebody chooses a password. */
export function newPasswordField(
  problems: Problems,
  { name = 'password', label = 'Password' }: { name?: string; label?: string } = {},
): Html {
  return field({ name, label, type: 'password', autocomplete: 'new-password', hint: PASSWORD_HINT }, problems)
}

/** The address of whoever opened a link, for password managers and for the eye. */
export function fixedEmailField(email: string): Html {
  return field({
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'username',
    value: email,
    fixed: true,
  })
}

export function yourNameField(value: string, problems: Problems = {}): Html {
  return field({ name: 'name', label: 'Your name', autocomplete: 'name', value }, problems)
}

/**
 * Beyond these nothing is accepted anyway; passwords may be pasted whole, so that a long one is refused and not cut.
 */
const MAX_LENGTH = { text: 200, email: 254, password: 1000 } as const

/** Phones would otherwise begin an address with a capital and mend what looks like a slip. */
const OFF = { text: null, email: html` autocapitalize="none" spellcheck="false"`, password: null } as const

/** A reason as the rules give it, such as `must not be empty`, as a sentence beside its field. */
function sentence(reason: string): string {
  const begun = reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
