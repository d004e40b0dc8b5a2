import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSlack, type Slack } from '../../src/channels/slack/slack.ts'
import { type Clock, SECOND_MS } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { PUBLIC_URL } from '../world.ts'

export const SLACK_CLIENT = { clientId: '123.456', clientSecret: 'the-secret-of-the-app' } as const
export const SLACK_SIGNING_SECRET = 'what-slack-signs-with'

// biome-ignore lint/suspicious/noExplicitAny: what the service sends is read freely; its form is what is tested
type Json = any

/** What becomes of the next calls of a method. */
export interface SlackStandInFault {
  method: string
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** The answer never comes. */
  hang?: boolean
  times?: number
}

/** A message that was posted. */
export interface Posted {
  token: string
  channel: string
  text: string
  blocks: Json[]
  parameters: Record<string, string>
}

/** Slack on this machine: teams in which an app can be allowed, channels, and messages with buttons. */
export interface SlackStandIn {
  /** Slack as an installation has it, by this clock from then on. */
  slack(clock: Clock): Slack
  /** What the client logged. */
  lines: string[]
  posted: Posted[]
  /** What came to the addresses at which buttons are answered, by path. */
  answers: { path: string; body: Json }[]
  /** Methods that were called, oldest first. */
  called: string[]
  faults: SlackStandInFault[]
  channels: { id: string; name: string; is_private?: boolean; is_member?: boolean; is_archived?: boolean }[]
  /** The tokens that are good, by the team that each is for. */
  tokens: Map<string, string>
  /** Somebody allows the app in a team at this address: the address at which they come back, with a code. */
  allow(authorizeUrl: string, team?: string): string
  /** Answers with this in place of what `oauth.v2.access` says, once. */
  grant: Record<string, unknown> | null
  /** What Slack sends when somebody presses a button of a message that was posted. */
  press(message: Posted, actionId: string, more?: PressOptions): SignedRequest
  event(event: object, more?: { team?: string; at?: number }): SignedRequest
  /** A body with its signature. */
  signed(body: string, more?: { at?: number; secret?: string; type?: string }): SignedRequest
  close(): Promise<void>
}

export interface PressOptions {
  team?: string
  user?: { id: string; name?: string }
  value?: string
  responseUrl?: string
}

export interface SignedRequest {
  body: string
  headers: Record<string, string>
}

const FORM = 'application/x-www-form-urlencoded'

export async function createSlackStandIn(): Promise<SlackStandIn> {
  let clock: Clock | null = null
  const made: Slack[] = []
  const codes = new Map<string, { team: string; redirectUri: string; used: boolean }>()
  const now = () => Math.floor(clock!.now().getTime() / SECOND_MS)

  const server = createServer((request, response) => void answer(request, response))
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString()
    const { pathname } = new URL(request.url!, 'http://slack')
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
        .end(JSON.stringify(body))
    const method = /^\/slack\/api\/([\w.]+)$/.exec(pathname)?.[1] ?? 'answer'
    self.called.push(method)
    const fault = self.faults.find((fault) => fault.method === method && (fault.times ?? 1) > 0)
    if (fault !== undefined) {
      fault.times = (fault.times ?? 1) - 1
      if (fault.hang !== true)
        send(fault.status ?? 200, fault.body ?? { ok: false, error: 'internal_error' }, fault.headers)
      return
    }
    if (method === 'answer') {
      self.answers.push({ path: pathname, body: JSON.parse(raw) })
      send(200, { ok: true })
      return
    }
    const parameters = Object.fromEntries(new URLSearchParams(raw))
    send(200, carryOut(method, parameters, /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]))
  }

  function carryOut(method: string, parameters: Record<string, string>, token: string | undefined): object {
    if (method === 'oauth.v2.access') return exchange(parameters)
    if (token === undefined) return { ok: false, error: 'not_authed' }
    if (!self.tokens.has(token)) return { ok: false, error: 'invalid_auth' }
    if (method === 'auth.revoke') return { ok: true, revoked: self.tokens.delete(token) }
    if (method === 'conversations.list') {
      const [from, limit] = [Number(parameters['cursor'] ?? 0), Number(parameters['limit'])]
      const next = from + limit < self.channels.length ? String(from + limit) : ''
      return { ok: true, channels: self.channels.slice(from, from + limit), response_metadata: { next_cursor: next } }
    }
    return post(parameters, token)
  }

  function exchange({
    client_id: id,
    client_secret: secret,
    code = '',
    redirect_uri: redirectUri,
  }: Record<string, string>): object {
    if (id !== SLACK_CLIENT.clientId) return { ok: false, error: 'invalid_client_id' }
    if (secret !== SLACK_CLIENT.clientSecret) return { ok: false, error: 'bad_client_secret' }
    const known = codes.get(code)
    if (known === undefined) return { ok: false, error: 'invalid_code' }
    if (known.used) return { ok: false, error: 'code_already_used' }
    if (known.redirectUri !== redirectUri) return { ok: false, error: 'bad_redirect_uri' }
    known.used = true
    const token = `xoxb-${randomBytes(12).toString('hex')}`
    self.tokens.set(token, known.team)
    const team = { id: known.team, name: `Team ${known.team}` }
    const given = {
      ok: true,
      access_token: token,
      token_type: 'bot',
      scope: 'chat:write,channels:read,groups:read',
      team,
      is_enterprise_install: false,
      ...self.grant,
    }
    self.grant = null
    return given
  }

  function post(parameters: Record<string, string>, token: string): object {
    const blocks = JSON.parse(parameters['blocks']!) as Json[]
    const problem = problemOf(parameters, blocks)
    if (problem !== null) return { ok: false, error: problem }
    const channel = self.channels.find(({ id }) => id === parameters['channel'])
    if (channel === undefined) return { ok: false, error: 'channel_not_found' }
    if (channel.is_archived) return { ok: false, error: 'is_archived' }
    if (channel.is_member === false) return { ok: false, error: 'not_in_channel' }
    const { text = '' } = parameters
    self.posted.push({ token, channel: channel.id, text, blocks, parameters })
    return { ok: true, channel: channel.id, ts: `${now()}.000001`, message: { text, blocks } }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: SlackStandIn = {
    slack(given) {
      clock = given
      const log = createLog('debug', { write: (line: string) => void self.lines.push(line) })
      const urls = { apiUrl: `${origin}/slack/api/`, authorizeUrl: `${origin}/oauth/v2/authorize` }
      const slack = createSlack({
        ...SLACK_CLIENT,
        ...urls,
        signingSecret: SLACK_SIGNING_SECRET,
        publicUrl: PUBLIC_URL,
        clock: given,
        log,
        limitMs: 2000,
      })
      made.push(slack)
      return slack
    },
    lines: [],
    posted: [],
    answers: [],
    called: [],
    faults: [],
    channels: [
      { id: 'C1', name: 'general' },
      { id: 'C2', name: 'elsewhere', is_member: false },
      { id: 'G3', name: 'secret', is_private: true },
      { id: 'C4', name: 'old', is_archived: true },
    ],
    tokens: new Map(),
    grant: null,
    allow(authorizeUrl, team = 'T1') {
      const asked = new URL(authorizeUrl).searchParams
      const code = randomBytes(12).toString('hex')
      const redirectUri = asked.get('redirect_uri')!
      codes.set(code, { team, redirectUri, used: false })
      return `${new URL(redirectUri).pathname}?${new URLSearchParams({ code, state: asked.get('state')! })}`
    },
    press(
      message,
      actionId,
      { team = 'T1', user = { id: 'U1', name: 'ann' }, value, responseUrl = `${origin}/actions/${team}/1` } = {},
    ) {
      const buttons = message.blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
      const pressed = buttons.find((button: Json) => button.action_id === actionId)
      const actions = [
        { type: 'button', action_id: actionId, block_id: 'x', ...pressed, ...(value === undefined ? {} : { value }) },
      ]
      const payload = {
        type: 'block_actions',
        team: { id: team, domain: 'team' },
        user,
        channel: { id: message.channel },
        response_url: responseUrl,
      }
      return self.signed(
        new URLSearchParams({
          payload: JSON.stringify({ ...payload, message: { blocks: message.blocks }, actions }),
        }).toString(),
      )
    },
    event(event, { team = 'T1', at = now() } = {}) {
      const body = { type: 'event_callback', team_id: team, api_app_id: 'A1', event_id: 'Ev1', event_time: at, event }
      return self.signed(JSON.stringify(body), { type: 'application/json' })
    },
    signed(body, { at = now(), secret = SLACK_SIGNING_SECRET, type = FORM } = {}) {
      const signature = `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`
      return {
        body,
        headers: { 'content-type': type, 'x-slack-request-timestamp': String(at), 'x-slack-signature': signature },
      }
    },
    async close() {
      await Promise.all(made.map(({ app }) => app.close()))
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return self
}

/** What Slack refuses of a message for its form. */
function problemOf({ text = '' }: Record<string, string>, blocks: readonly Json[]): string | null {
  if (text === '') return 'no_text'
  if (text.length > 40_000) return 'msg_too_long'
  if (blocks.length > 50) return 'invalid_blocks'
  const isBad = blocks.some(({ type, text: said, elements }) => {
    const most = type === 'header' ? 150 : 3000
    const ownIsBad =
      said !== undefined &&
      (said.text.length === 0 || said.text.length > most || (type === 'header' && said.type !== 'plain_text'))
    const elementsAreBad =
      (elements ?? []).length > (type === 'context' ? 10 : 25) ||
      elements?.some((element: Json) => (element.url?.length ?? 0) > 3000 || element.text?.length === 0)
    return (
      ownIsBad ||
      elementsAreBad ||
      ((type === 'section' || type === 'header') && said === undefined) ||
      elements?.length === 0
    )
  })
  return isBad ? 'invalid_blocks' : null
}
