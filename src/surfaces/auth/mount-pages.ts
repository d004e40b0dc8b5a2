import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../commands/writing.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { html } from '../../kernel/markup.ts'
import { TooManyPasswords } from '../../kernel/passwords.ts'
import { failureOf } from '../../operations/invoke.ts'
import { acceptFormBodies } from '../http/body.ts'
import { answerTo, RefusedRequest, refusalBehind } from '../http/envelope.ts'
import { formProblem } from './browser.ts'
import { sendPage } from './page.ts'

/** Within `mount`, bodies are forms, forms pass the CSRF check, and errors are pages. */
export function mountPages(
  server: FastifyInstance,
  { services, log }: { services: Services; log: Log },
  mount: (pages: FastifyInstance) => void,
): void {
  server.register(async (pages) => {
    acceptFormBodies(pages, services.clock)
    pages.addHook('preHandler', async (request, reply) => {
      const problem = request.method === 'POST' ? formProblem(request) : null
      return problem === null ? undefined : sendRefusal(request, reply, problem)
    })
    pages.setErrorHandler((error, request, reply) => {
      // Fastify closes the connection after every unread body, which only `hangUp` should do.
      if (error instanceof RefusedRequest && error.hangUp) reply.header('Connection', 'close')
      else reply.removeHeader('Connection')
      const about = { requestId: request.id, method: request.method, route: request.routeOptions.url }
      return sendRefusal(
        request,
        reply,
        error instanceof TooManyPasswords ? CROWDED : (refusalBehind(error) ?? failureOf(error, log, about)),
      )
    })
    mount(pages)
  })
}

const CROWDED = refuse('rate_limited', 'Too many people are signing in. Try again in a moment.', {
  status: 503,
  retryAfterSeconds: 5,
})

export function prefersJson(accept = ''): boolean {
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** A page or the JSON envelope, for refusals that no form field explains. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  way: { address: string; words: string } = { address: '/sign-in', words: 'Go to sign-in' },
): FastifyReply {
  request.refusedWith = refusal.code
  const { status, headers, body: envelope } = answerTo(refusal, request.id)
  if (prefersJson(request.headers.accept))
    return reply
      .code(status)
      .headers({ ...headers, 'Cache-Control': 'no-store' })
      .type('application/json; charset=utf-8')
      .send(envelope)
  const hint = status >= 500 && html`<p class="hint">Request ${request.id}</p>`
  const body = html`<div class="sheet">
<p role="alert">${refusal.message}</p>
${hint}
</div>
<p class="links"><a href="${way.address}">${way.words}</a></p>`
  return sendPage(reply.headers(headers), { title: titleFor(refusal), body }, status)
}

function titleFor({ code, status }: Refusal): string {
  if (status === 429) return 'Too many attempts'
  if (status >= 500) return 'Something went wrong'
  return code === 'invalid_token' || status === 404 ? 'Page not found' : 'Not possible'
}
