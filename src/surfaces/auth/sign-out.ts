import type { FastifyInstance } from 'fastify'
import { signOut } from '../../commands/accounts/sign-out.ts'
import { signOutEverywhere } from '../../commands/accounts/sign-out-everywhere.ts'
import { html } from '../../kernel/markup.ts'
import { clearSession, formOf, personOf, sessionHashOf } from './browser.ts'
import type { SignInContext } from './context.ts'
import { nextOf, toSignIn } from './enter.ts'
import { form } from './fields.ts'
import { leadTo, sendPage } from './page.ts'

export function serveSignOut(pages: FastifyInstance, { services }: SignInContext): void {
  pages.get('/sign-out', async (request, reply) => {
    const body = html`<div class="sheet">
${form(request, reply, '/sign-out', html`<button type="submit">Sign out</button>`)}
</div>
<p class="links"><a href="/account">Stay signed in</a></p>`
    return sendPage(reply, { title: 'Sign out', body })
  })

  pages.post('/sign-out', async (request, reply) => {
    const hash = sessionHashOf(request)
    if (hash !== null) await signOut(services, hash)
    clearSession(request, reply)
    return leadTo(reply, nextOf(request, formOf(request)) ?? '/sign-in?out')
  })

  pages.post('/sign-out/everywhere', async (request, reply) => {
    const person = await personOf(request)
    if (person === null) return toSignIn(request, reply)
    await signOutEverywhere(services, person.user.id, { disconnect: formOf(request).has('disconnect') })
    clearSession(request, reply)
    return leadTo(reply, '/sign-in?out')
  })
}
