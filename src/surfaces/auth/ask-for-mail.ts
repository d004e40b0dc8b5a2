import type { FastifyReply, FastifyRequest } from 'fastify'
import { COMMAND } from '../../kernel/checkout.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { field, form, hasProblems, hidden, type Problems } from './fields.ts'
import { withNext } from './next.ts'
import { sendPage } from './page.ts'

export interface MailRequest {
  title: string
  action: string
  lead: string
  button: string
  /** Where to continue afterwards. */
  next?: string | null
  email?: string
  problems?: Problems
  below?: Html | null
}

export function askForAddress(request: FastifyRequest, reply: FastifyReply, asking: MailRequest): FastifyReply {
  const { title, action, lead, button, next = null, email = '', problems = {}, below = null } = asking
  const fields = html`${hidden('next', next)}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', value: email }, problems)}
<button type="submit">${button}</button>`
  const body = html`<p>${lead}</p>
<div class="sheet">
${form(request, reply, action, fields)}
${below}
</div>
<p class="links"><a href="${withNext('/sign-in', next)}">Back to sign-in</a></p>`
  return sendPage(reply, { title, body }, hasProblems(problems) ? 400 : 200)
}

/** One answer for all addresses, so that it does not reveal accounts. */
export function mailIsOnItsWay(reply: FastifyReply, what: string): FastifyReply {
  const body = html`<div class="sheet">
<p role="status">If the address you gave can be used here, an e-mail is on its way to it, ${what}</p>
<p class="quiet">It can take a minute. Look among unwanted mail too.</p>
</div>
<p class="links"><a href="/sign-in">Back to sign-in</a></p>`
  return sendPage(reply, { title: 'Check your mail', body })
}

export function noMail(reply: FastifyReply, title: string): FastifyReply {
  const body = html`<div class="sheet">
<p>This installation sends no e-mail. Ask whoever runs it for a link with which you choose a new password: they make one
with <code>${COMMAND} sign-in-link</code> and your address.</p>
</div>
<p class="links"><a href="/sign-in">Back to sign-in</a></p>`
  return sendPage(reply, { title, body })
}
