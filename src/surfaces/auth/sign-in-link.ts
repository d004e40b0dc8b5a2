import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { peekLink } from '../../commands/accounts/peek-link.ts'
import { requestLink } from '../../commands/accounts/request-link.ts'
import { signInByLink } from '../../commands/accounts/sign-in-by-link.ts'
import { noSuchLink } from '../../commands/accounts/use-link.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { askForAddress, mailIsOnItsWay, noMail } from './ask-for-mail.ts'
import { formOf, personOf, sessionHashOf } from './browser.ts'
import { countAttempt, type SignInContext } from './context.ts'
import { enter, nextOf, rememberNext, takeNext } from './enter.ts'
import { form, problemsFrom } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { withNext } from './next.ts'
import { leadTo, sendPage } from './page.ts'

/** The link opens a page with a button, because mail scanners open links too. */
export function serveSignInLink(pages: FastifyInstance, context: SignInContext): void {
  const { services } = context

  pages.get('/sign-in/link', async (request, reply) => {
    if (services.mail === null) return noMail(reply, 'Sign in by link')
    const { sent } = request.query as { sent?: unknown }
    if (sent !== undefined) return mailIsOnItsWay(reply, 'with a link to sign in. It works once, for 15 minutes.')
    return askForAddress(request, reply, { ...ASKING, next: nextOf(request) })
  })

  pages.post('/sign-in/link', async (request, reply) => {
    const given = formOf(request)
    const [email, next] = [given.get('email') ?? '', nextOf(request, given)]
    const tooMany = await countAttempt(context, request, 'link', email)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    const refusal = await requestLink(services, 'sign_in', email)
    if (refusal !== undefined) {
      const problems = problemsFrom(refusal, ['email'])
      return problems === null
        ? sendRefusal(request, reply, refusal)
        : askForAddress(request, reply, { ...ASKING, next, email, problems })
    }
    rememberNext(request, reply, next)
    return leadTo(reply, '/sign-in/link?sent')
  })

  pages.get<WithSecret>('/sign-in/link/:secret', async (request, reply) =>
    showButton(context, request, reply, request.params.secret),
  )

  pages.post<WithSecret>('/sign-in/link/:secret', async (request, reply) => {
    const tooMany = await countAttempt(context, request, 'link', null)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    const signedIn = await signInByLink(services, request.params.secret, sessionHashOf(request))
    return isRefusal(signedIn)
      ? sendRefusal(request, reply, signedIn)
      : enter(request, reply, signedIn, takeNext(request, reply))
  })
}

interface WithSecret {
  Params: { secret: string }
}

const ASKING = {
  title: 'Sign in by link',
  action: '/sign-in/link',
  lead: 'We send you a link to sign in.',
  button: 'Send a link',
}

async function showButton(
  { services }: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
): Promise<FastifyReply> {
  const link = await peekLink(services.db, secret, 'sign_in', services.clock.now())
  if (link === null) return sendRefusal(request, reply, noSuchLink())
  const isIn = link.endsPassword && (await personOf(request))?.user.id === link.userId
  const body = html`<div class="sheet">
<p>You are about to sign in as <strong>${link.email}</strong> in this browser.</p>
${link.endsPassword && !isIn && whatEnds(secret)}
${form(request, reply, `/sign-in/link/${secret}`, html`<button type="submit">Sign in</button>`)}
</div>`
  return sendPage(reply, { title: 'Sign in', body })
}

/** Signing in removes what an intruder may have put into the account. The owner is told before anything ends. */
function whatEnds(secret: string): Html {
  return html`<p>Nobody has shown until now that this address is theirs, so somebody else may have
  set the password. It ends when you sign in
by this link: <strong>your password will have to be set again</strong>, other browsers are signed out,
apps are disconnected, and open invitations are withdrawn.</p>
<p>If you know the password, <a href="${withNext('/sign-in', `/sign-in/link/${secret}`)}">sign in with it first</a>
and come back here: then everything stays.</p>`
}
