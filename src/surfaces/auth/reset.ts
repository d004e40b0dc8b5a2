import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { peekLink } from '../../commands/accounts/peek-link.ts'
import { requestLink } from '../../commands/accounts/request-link.ts'
import { resetPassword } from '../../commands/accounts/reset-password.ts'
import { noSuchLink } from '../../commands/accounts/use-link.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { html } from '../../kernel/markup.ts'
import { askForAddress, mailIsOnItsWay, noMail } from './ask-for-mail.ts'
import { formOf } from './browser.ts'
import { countAttempt, type SignInContext } from './context.ts'
import { enter } from './enter.ts'
import { fixedEmailField, form, hasProblems, newPasswordField, type Problems, problemsFrom } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { leadTo, sendPage } from './page.ts'

export function serveReset(pages: FastifyInstance, context: SignInContext): void {
  const { services } = context

  pages.get('/reset', async (request, reply) => {
    if (services.mail === null) return noMail(reply, ASKING.title)
    const { sent } = request.query as { sent?: unknown }
    if (sent !== undefined)
      return mailIsOnItsWay(reply, 'with a link to choose a new password. It works once, for an hour.')
    return askForAddress(request, reply, ASKING)
  })

  pages.post('/reset', async (request, reply) => {
    const email = formOf(request).get('email') ?? ''
    const tooMany = await countAttempt(context, request, 'reset', email)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    const refusal = await requestLink(services, 'reset', email)
    if (refusal === undefined) return leadTo(reply, '/reset?sent')
    const problems = problemsFrom(refusal, ['email'])
    return problems === null
      ? sendRefusal(request, reply, refusal)
      : askForAddress(request, reply, { ...ASKING, email, problems })
  })

  pages.get<WithSecret>('/reset/:secret', async (request, reply) =>
    showChoice(context, request, reply, request.params.secret),
  )

  pages.post<WithSecret>('/reset/:secret', async (request, reply) => {
    const { secret } = request.params
    const tooMany = await countAttempt(context, request, 'reset', null)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    const signedIn = await resetPassword(services, secret, formOf(request).get('password') ?? '')
    if (!isRefusal(signedIn)) return enter(request, reply, signedIn, '/account?saved=reset')
    const problems = problemsFrom(signedIn, ['password'])
    return problems === null
      ? sendRefusal(request, reply, signedIn)
      : showChoice(context, request, reply, secret, problems)
  })
}

interface WithSecret {
  Params: { secret: string }
}

const ASKING = {
  title: 'Choose a new password',
  action: '/reset',
  lead: 'We send you a link.',
  button: 'Send the link',
}

async function showChoice(
  { services }: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  problems: Problems = {},
): Promise<FastifyReply> {
  const link = await peekLink(services.db, secret, 'reset', services.clock.now())
  if (link === null) return sendRefusal(request, reply, noSuchLink())
  const fields = html`${fixedEmailField(link.email)}
${newPasswordField(problems, { label: 'New password' })}
<button type="submit">Set the password and sign in</button>`
  const body = html`<p>Everything else that opens the account ends then: you are signed out everywhere,
  apps have to be connected again, and
open invitations that you sent are withdrawn.</p>
<div class="sheet">
${form(request, reply, `/reset/${secret}`, fields)}
</div>`
  return sendPage(reply, { title: ASKING.title, body }, hasProblems(problems) ? 400 : 200)
}
