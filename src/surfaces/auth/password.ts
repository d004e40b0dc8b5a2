import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changePassword } from '../../commands/accounts/change-password.ts'
import { FIRST_PASSWORD_MS } from '../../domain/account/account.ts'
import { plus } from '../../kernel/clock.ts'
import { type Html, html } from '../../kernel/markup.ts'
import type { SessionPerson } from '../../queries/accounts/find-session-person.ts'
import { formOf, personOf, sessionHashOf } from './browser.ts'
import { countAttempt, type SignInContext } from './context.ts'
import { nextOf, toSignIn } from './enter.ts'
import { field, form, hasProblems, hidden, newPasswordField, type Problems, problemsFrom } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { withNext } from './next.ts'
import { leadTo, sendPage } from './page.ts'
import { providerButtons } from './provider-buttons.ts'

export function servePassword(pages: FastifyInstance, context: SignInContext): void {
  const { services } = context

  pages.get('/account/password', async (request, reply) => {
    const person = await personOf(request)
    return person === null
      ? toSignIn(request, reply)
      : showPassword(context, request, reply, person, { next: nextOf(request) })
  })

  pages.post('/account/password', async (request, reply) => {
    const person = await personOf(request)
    if (person === null) return toSignIn(request, reply)
    const tooMany = await countAttempt(context, request, 'password', person.user.email)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    const given = formOf(request)
    const change = {
      current: given.get('current') ?? '',
      next: given.get('new') ?? '',
      disconnect: given.has('disconnect'),
    }
    const refusal = await changePassword(services, person.user.id, change, sessionHashOf(request)!)
    const next = nextOf(request, given)
    if (refusal === undefined) return leadTo(reply, next ?? '/account?saved=password')
    if (refusal.code === 'forbidden')
      return sendRefusal(request, reply, refusal, { address: PASSWORD_PAGE, words: 'Sign in again' })
    const { current = null, next: wrong = null } = problemsFrom(refusal, ['current', 'next']) ?? {}
    const problems = { current, new: wrong }
    return hasProblems(problems)
      ? showPassword(context, request, reply, person, { next, problems })
      : sendRefusal(request, reply, refusal)
  })
}

/** A person without a password must have signed in recently. */
export function passwordForm(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: SessionPerson,
  { next, problems = {} }: { next: string | null; problems?: Problems },
): Html {
  const { user, hasPassword, signedInAt } = person
  if (!hasPassword && signedInAt <= plus(context.services.clock.now(), -FIRST_PASSWORD_MS)) return signInAnew(context)
  // Password managers need the address.
  const fields = html`${hidden('next', next)}
<input type="text" name="username" value="${user.email}" autocomplete="username" hidden>
${hasPassword && field(CURRENT_PASSWORD, problems)}
${newPasswordField(problems, { name: 'new', label: 'New password' })}
${disconnecting()}
<button type="submit" class="plain">Set the password</button>`
  return form(request, reply, '/account/password', fields)
}

const CURRENT_PASSWORD = {
  name: 'current',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
} as const

export function disconnecting(): Html {
  return html`<label class="choice"><input type="checkbox" name="disconnect" value="yes" checked> <span>Also disconnect
  apps</span></label>`
}

/** A found cookie or open browser must not be turned into a lasting password. */
function signInAnew(context: SignInContext): Html {
  const hasMail = context.services.mail !== null
  const hasWay = hasMail || context.providers.length > 0
  return html`<p>You have no password.
  ${hasWay ? 'Sign in again to set one.' : ASK_THE_OPERATOR}</p>
${hasMail && html`<p><a class="button plain" href="${withNext('/sign-in/link', PASSWORD_PAGE)}">Send a link</a></p>`}
${providerButtons(context, { next: PASSWORD_PAGE })}`
}

const PASSWORD_PAGE = '/account/password'
const ASK_THE_OPERATOR = 'To set one, ask the operator of this installation for a link.'

async function showPassword(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: SessionPerson,
  { next, problems = {} }: { next: string | null; problems?: Problems },
): Promise<FastifyReply> {
  const { lost } = request.query as { lost?: unknown }
  const body = html`${lost !== undefined && !person.hasPassword && LOST}
<div class="sheet">
${passwordForm(context, request, reply, person, { next, problems })}
</div>
<p class="links"><a
  href="${next ?? '/account'}">${person.hasPassword ? 'Keep the password' : 'Continue without a password'}</a></p>`
  return sendPage(
    reply,
    { title: person.hasPassword ? 'Change the password' : 'Set a password', body },
    hasProblems(problems) ? 400 : 200,
  )
}

const LOST = html`<p class="note" role="status">You are signed in, and the address is confirmed as yours. Whoever
set the password until now had not shown that,
so it has ended, and with it everything else that opened the account. Set one of your own.</p>`
