import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  askBeforeConnecting,
  completeConnection,
  type SlackQuestion,
} from '../../commands/channels/slack/complete-connection.ts'
import { takeAction } from '../../commands/channels/slack/take-action.ts'
import { takeEvent } from '../../commands/channels/slack/take-event.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import type { SlackMessage } from '../../domain/slack/slack.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { html } from '../../kernel/markup.ts'
import { actAs } from '../../kernel/origin.ts'
import type { Services } from '../../operations/definition.ts'
import { FORM_TOKEN, formOf, formTokenOf, personOf } from '../auth/browser.ts'
import { mountPages, sendRefusal } from '../auth/mount-pages.ts'
import { type Page, sendPage } from '../auth/page.ts'
import { RefusedRequest } from '../http/envelope.ts'

interface Around {
  services: Services
  log: Log
}

export function serveSlackHooks(plugin: FastifyInstance, { services, log }: Around): void {
  plugin.post('/hooks/slack/actions', async (request, reply) => {
    const outcome = await takeAction(services, messageOf(request))
    if (isRefusal(outcome)) throw new RefusedRequest(outcome)
    log[outcome.became === 'of no matter' ? 'debug' : 'info'](
      { event: 'slack.button_pressed', ...outcome, requestId: request.id },
      'Slack button pressed',
    )
    // Slack shows the body of an answer to the person who pressed.
    return reply.code(200).send()
  })
  plugin.post('/hooks/slack/events', async (request, reply) => {
    actAs({ kind: 'provider', name: 'slack' })
    const outcome = await takeEvent(services, messageOf(request))
    if (isRefusal(outcome)) throw new RefusedRequest(outcome)
    if (outcome.became === 'challenged') return reply.send({ challenge: outcome.challenge })
    log[outcome.became === 'of no matter' ? 'debug' : 'info'](
      { event: 'slack.event_received', ...outcome, requestId: request.id },
      'Slack event received',
    )
    return reply.send({ received: true })
  })
}

const RETURN_PATH = '/hooks/slack/oauth'

export function serveSlackReturn(server: FastifyInstance, { services, log }: Around): void {
  mountPages(server, { services, log }, (pages) => {
    // A HEAD request would use up the one-time state.
    pages.get(RETURN_PATH, { exposeHeadRoute: false }, (request, reply) => comeBack(services, request, reply))
    pages.post(RETURN_PATH, (request, reply) => agree(services, request, reply))
  })
}

function messageOf({ body, headers }: FastifyRequest): SlackMessage {
  const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = headers
  return {
    body: typeof body === 'string' ? body : '',
    timestamp: typeof timestamp === 'string' ? timestamp : undefined,
    signature: typeof signature === 'string' ? signature : undefined,
  }
}

/** Codes and states are far shorter. */
const PARAMETER_MAX = 2000

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= PARAMETER_MAX ? value : null
}

/** A denial is reported at once. */
async function comeBack(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = request.query as Record<string, unknown>
  const [state, code] = [textOf(query['state']) ?? '', query['error'] === undefined ? textOf(query['code']) : null]
  if (code === null) return finish(services, { state, code }, request, reply)
  const question = await askBeforeConnecting(services, { state, personId: await personIdOf(request) })
  return isRefusal(question)
    ? refused(request, reply, question)
    : sendPage(reply, asking(question, { state, code, token: formTokenOf(request, reply) }))
}

/** Good once, because completing ends the state. */
function agree(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = formOf(request)
  return finish(services, { state: textOf(form.get('state')) ?? '', code: textOf(form.get('code')) }, request, reply)
}

async function finish(
  services: Services,
  brought: { state: string; code: string | null },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const connected = await completeConnection(services, { ...brought, personId: await personIdOf(request) })
  if (isRefusal(connected)) return refused(request, reply, connected)
  const body = html`<div class="sheet">
<p>Earshot can now post in the channels of <strong>${connected.teamName}</strong> that it is in. Invite it to the
channels that you choose.</p>
</div>
<p class="links"><a href="/">Go to Earshot</a></p>`
  return sendPage(reply, { title: 'Slack is connected', body })
}

function asking(
  { workspaceName, askedByName, byKey }: SlackQuestion,
  { state, code, token }: { state: string; code: string; token: string },
): Page {
  const body = html`<div class="sheet">
<p>Your team in Slack will be connected to the Earshot workspace <strong>${workspaceName}</strong>, as
${byKey ? 'the API key ' : ''}<strong>${askedByName}</strong> asked.</p>
<p>Its members will see the names of the team's channels and can post there through Earshot.</p>
<form method="post" action="${RETURN_PATH}">
<input type="hidden" name="${FORM_TOKEN}" value="${token}">
<input type="hidden" name="state" value="${state}">
<input type="hidden" name="code" value="${code}">
<button type="submit">Connect Slack</button>
</form>
<p class="hint">If you do not know this workspace, close this page: nothing is connected then.</p>
</div>`
  return { title: 'Connect this team?', body }
}

async function personIdOf(request: FastifyRequest): Promise<Uuid | null> {
  return (await personOf(request))?.user.id ?? null
}

function refused(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  return sendRefusal(request, reply, refusal, { address: '/', words: 'Go to Earshot' })
}
