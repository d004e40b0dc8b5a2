import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCOUNT_LIMITS } from '../../domain/account/account.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { FORM_TOKEN, formTokenOf } from './browser.ts'

/** By field name in form order; null without a problem. */
export type Problems = Readonly<Record<string, string | null>>

export interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  /** The HTML autocomplete token. */
  autocomplete: string
  /** Never a password. */
  value?: string
  hint?: string
  optional?: boolean
  /** Numeric keyboard on phones. */
  digits?: boolean
  fixed?: boolean
  /** Distinguishes fields with one name on a page. */
  within?: string
}

/** Screen readers read label, hint and problem together. */
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

export interface Option {
  value: string
  label: string
  hint?: string
}

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

/** `spoken` begins with the label and names the owner for screen readers. */
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

/** Includes the CSRF token. */
export function form(request: FastifyRequest, reply: FastifyReply, action: string, body: Html): Html {
  return html`<form method="post" action="${action}" novalidate>
<input type="hidden" name="${FORM_TOKEN}" value="${formTokenOf(request, reply)}">
${body}
</form>`
}

export function hidden(name: string, value: string | null): Html | null {
  return value === null ? null : html`<input type="hidden" name="${name}" value="${value}">`
}

/** Null when the refusal is not about one of these fields. */
export function problemsFrom({ code, message }: Refusal, names: readonly string[]): Problems | null {
  const [, name, reason] = /^([A-Za-z]+): (.+)$/s.exec(message) ?? []
  return code === 'validation_error' && name !== undefined && names.includes(name) ? { [name]: reason! } : null
}

export function hasProblems(problems: Problems): boolean {
  return Object.values(problems).some((problem) => problem !== null)
}

const PASSWORD_HINT = `${ACCOUNT_LIMITS.passwordMin} characters at least. A few words that you make up are good.`

export function newPasswordField(
  problems: Problems,
  { name = 'password', label = 'Password' }: { name?: string; label?: string } = {},
): Html {
  return field({ name, label, type: 'password', autocomplete: 'new-password', hint: PASSWORD_HINT }, problems)
}

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

/** Larger values are refused anyway. A long pasted password must be refused, not cut. */
const MAX_LENGTH = { text: 200, email: 254, password: 1000 } as const

/** Phones would capitalise or correct an address. */
const OFF = { text: null, email: html` autocapitalize="none" spellcheck="false"`, password: null } as const

/** Makes a sentence of a reason such as `must not be empty`. */
function sentence(reason: string): string {
  const begun = reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
