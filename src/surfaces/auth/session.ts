import type { FastifyInstance, FastifyReply } from 'fastify'
import { chooseLanguage } from '../../commands/accounts/choose-language.ts'
import { refuse } from '../../domain/refusal/refusal.ts'
import { toId } from '../../kernel/ids.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { answerTo } from '../http/envelope.ts'
import { formOf, formTokenOf, personOf } from './browser.ts'
import type { SignInContext } from './context.ts'
import { sendRefusal } from './mount-pages.ts'
import { isFromOurPage, NO_SESSION } from './presented.ts'

/**
 * For scripts of our pages: the person, the workspace and the CSRF token; null when signed out. Other sites are
 * refused.
 */
export function serveSession(pages: FastifyInstance, { services }: SignInContext): void {
  pages.get('/session', async (request, reply) => {
    reply
      .headers({ 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' })
      .type('application/json; charset=utf-8')
    if (!isFromOurPage(request)) return refuseStranger(reply)
    const person = await personOf(request)
    if (person === null) return reply.send({ user: null, workspace: null, formToken: null })
    const { user, workspaceId } = person
    const workspace = (await listWorkspacesOf(services.db, user.id)).find(({ id }) => id === workspaceId)
    return reply.send({
      user: { id: toId('user', user.id), email: user.email, name: user.name, language: user.language },
      workspace:
        workspace === undefined ? null : { id: toId('org', workspace.id), name: workspace.name, role: workspace.role },
      formToken: formTokenOf(request, reply),
    })
  })

  /** A form, so that the CSRF check of all forms holds. */
  pages.post('/session/language', async (request, reply) => {
    const person = await personOf(request)
    if (person === null) return sendRefusal(request, reply, NO_SESSION)
    const refusal = await chooseLanguage(services, person.user.id, formOf(request).get('language'))
    return refusal === undefined ? reply.code(204).send() : sendRefusal(request, reply, refusal)
  })
}

function refuseStranger(reply: FastifyReply): FastifyReply {
  const refusal = refuse('forbidden', 'Only pages of this installation may send this request.')
  reply.request.refusedWith = refusal.code
  const { status, body } = answerTo(refusal, reply.request.id)
  return reply.code(status).send(body)
}
