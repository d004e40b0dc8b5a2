import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signIn } from '../../commands/accounts/sign-in.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { type InstallationBeginning, readBeginning } from '../../queries/accounts/read-beginning.ts'
import { isAtHome } from './at-home.ts'
import { formOf, personOf } from './browser.ts'
import { countGuess, type SignInContext } from './context.ts'
import { enter, goOn, nextOf } from './enter.ts'
import { field, form, hidden } from './fields.ts'
import { sendRefusal } from './mount-pages.ts'
import { withNext } from './next.ts'
import { sendPage } from './page.ts'
import { providerButtons } from './provider-buttons.ts'

export function serveSignIn(pages: FastifyInstance, context: SignInContext): void {
  const { services } = context

  pages.get('/sign-in', async (request, reply) => {
    if ((await personOf(request)) !== null) return goOn(reply, nextOf(request))
    const { out } = request.query as { out?: unknown }
    const note = out === undefined ? null : html`<p class="note" role="status">You are signed out.</p>`
    return showSignIn(context, request, reply, { next: nextOf(request), note })
  })

  pages.post('/sign-in', async (request, reply) => {
    const given = formOf(request)
    const [email, password, next] = [given.get('email') ?? '', given.get('password') ?? '', nextOf(request, given)]
    const guess = await countGuess(context, request, email)
    if (guess.refusal !== null) return sendRefusal(request, reply, guess.refusal)
    const signedIn = await signIn(services, { email, password })
    if (!isRefusal(signedIn)) {
      await guess.wasRight()
      return enter(request, reply, signedIn, next)
    }
    request.refusedWith = signedIn.code
    const note = html`<p class="note wrong" role="alert">${signedIn.message}</p>`
    return showSignIn(context, request, reply, { next, note, email, status: signedIn.status })
  })
}

const FIRST_WORDS: Record<Exclude<InstallationBeginning, 'over'>, string> = {
  first_come: 'Create the first one',
  by_operator: 'How to create the first one',
}

interface Shown {
  next: string | null
  note: Html | null
  email?: string
  status?: number
}

async function showSignIn(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, note, email = '', status = 200 }: Shown,
): Promise<FastifyReply> {
  const beginning = await readBeginning(context.services.db, isAtHome(request))
  const fields = html`${hidden('next', next)}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button type="submit">Sign in</button>`
  const body = html`${note}
${
  beginning !== 'over' &&
  html`<p class="note">No account exists yet. <a
href="/sign-up">${FIRST_WORDS[beginning]}</a>.</p>`
}
<div class="sheet">
${form(request, reply, '/sign-in', fields)}
${providerButtons(context, { next })}
</div>
<p class="links">${
    context.services.mail !== null && html`<a href="${withNext('/sign-in/link', next)}">Send a link instead</a>`
  }
<a href="/reset">Forgot the password?</a>
<a href="${withNext('/sign-up', next)}">Create an account</a></p>`
  return sendPage(reply, { title: 'Sign in', body }, status)
}
