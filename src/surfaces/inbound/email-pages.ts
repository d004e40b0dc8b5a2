import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  confirmRecipient,
  type SubscriptionShown,
  showConfirmation,
} from '../../commands/channels/email/confirm-recipient.ts'
import { CONFIRM_PATH, UNSUBSCRIBE_PATH } from '../../commands/channels/email/links.ts'
import { showSubscription, unsubscribe } from '../../commands/channels/email/unsubscribe.ts'
import type { Services } from '../../commands/writing.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { failureOf } from '../../operations/invoke.ts'
import { sendRefusal } from '../auth/mount-pages.ts'
import { sendPage } from '../auth/page.ts'
import { RefusedRequest, refusalBehind } from '../http/envelope.ts'

/**
 * Opening a link changes nothing, because mail scanners open every link; a button does. The form needs no cookie or
 * origin: the token authorises, and one-click unsubscribe (RFC 8058) has nothing else.
 */
export function serveEmailPages(server: FastifyInstance, { services, log }: { services: Services; log: Log }): void {
  void server.register(async (pages) => {
    // Bodies do not matter and are discarded.
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', async (_request: FastifyRequest, body: Readable) => void body.resume())
    pages.setErrorHandler((error, request, reply) => {
      // Fastify closes the connection after every unread body, which only `hangUp` should do.
      if (error instanceof RefusedRequest && error.hangUp) reply.header('Connection', 'close')
      else reply.removeHeader('Connection')
      const about = { requestId: request.id, method: request.method, route: request.routeOptions.url }
      return refused(request, reply, refusalBehind(error) ?? failureOf(error, log, about))
    })
    for (const { path, show, act, asking, done } of LINKS) {
      pages.get(path, async (request, reply) => {
        const token = tokenOf(request)
        const shown = await show(services, token)
        return isRefusal(shown)
          ? refused(request, reply, shown)
          : sendPage(reply, asking(shown, `${path}?token=${encodeURIComponent(token)}`))
      })
      pages.post(path, async (request, reply) => {
        const shown = await act(services, tokenOf(request))
        return isRefusal(shown) ? refused(request, reply, shown) : sendPage(reply, done(shown))
      })
    }
  })
}

interface Linked {
  path: string
  show(services: Services, token: string): Promise<SubscriptionShown | Refusal>
  act(services: Services, token: string): Promise<SubscriptionShown | Refusal>
  asking(shown: SubscriptionShown, action: string): { title: string; body: Html }
  done(shown: SubscriptionShown): { title: string; body: Html }
}

const LINKS: readonly Linked[] = [
  {
    path: CONFIRM_PATH,
    show: showConfirmation,
    act: confirmRecipient,
    asking: ({ email, workspaceName }, action) => ({
      title: 'Receive these alerts?',
      body: html`<div class="sheet">
<p><strong>${workspaceName}</strong> would like to send alerts about mentions to <strong>${email}</strong>.</p>
<form method="post" action="${action}"><button type="submit">Yes, send them</button></form>
<p class="hint">If you do not want them, close this page. Every mail has a link to unsubscribe.</p>
</div>`,
    }),
    done: ({ email, workspaceName }) => ({
      title: 'You will receive these alerts',
      body: html`<div class="sheet"><p role="status">Alerts
      from <strong>${workspaceName}</strong> are now sent to <strong>${email}</strong>.</p></div>`,
    }),
  },
  {
    path: UNSUBSCRIBE_PATH,
    show: showSubscription,
    act: unsubscribe,
    asking: ({ email, workspaceName }, action) => ({
      title: 'Unsubscribe',
      body: html`<div class="sheet">
<p>End these alerts from <strong>${workspaceName}</strong> to <strong>${email}</strong>?</p>
<form method="post" action="${action}"><button type="submit">Unsubscribe</button></form>
</div>`,
    }),
    done: ({ email, workspaceName }) => ({
      title: 'You are unsubscribed',
      body: html`<div class="sheet"><p role="status">These alerts
      from <strong>${workspaceName}</strong> go to <strong>${email}</strong> no more.</p></div>`,
    }),
  },
]

function tokenOf({ query }: FastifyRequest): string {
  const { token } = query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

function refused(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  return sendRefusal(request, reply, refusal, { address: '/', words: 'Go to Earshot' })
}
