import { expect, test } from 'vitest'
import { newSecret, type SecretKind } from '../../kernel/secrets.ts'
import { markOfSecret } from '../cells/contract.ts'
import type { Head } from './head.ts'
import { type Plan, planFor } from './route.ts'

function secret(kind: SecretKind) {
  const { text, hash } = newSecret(kind)
  return { text, mark: markOfSecret({ kind, hash }) }
}
const REF = secret('ref')
const SES = secret('ses')
const LNK = secret('lnk')
const EIN = secret('ein')
const EAC = secret('eac')
const ERT = secret('ert')
const BEARER = { authorization: `Bearer ${REF.text}` }
const COOKIE = { cookie: `a=b; earshot_session=${SES.text}` }
const POST = { method: 'POST' }

interface Asked {
  method?: string
  body?: string
  authorization?: string
  cookie?: string
}

function plan(target: string, { body = '', method = 'GET', ...headers }: Asked = {}): Plan {
  const [path = '', query = ''] = target.split('?')
  const head: Head = { method, target, path, query: new URLSearchParams(query), headers, caller: '127.0.0.1' }
  let found = planFor(head, 'http://earshot.test')
  while (found.to === 'body') found = found.plan(body)
  return found
}

test.each<[string, Asked, object[]]>([
  ['/v1/whoami', BEARER, [REF.mark]],
  ['/mcp', BEARER, [REF.mark]],
  ['/compat/v2/keywords', BEARER, [REF.mark]],
  ['/v1/whoami', { ...BEARER, ...COOKIE }, [REF.mark]],
  ['/v1/whoami', COOKIE, [SES.mark]],
  ['/v1/whoami', { authorization: 'Basic eDp5', ...COOKIE }, []],
  ['/inbox', { ...BEARER, ...COOKIE }, [SES.mark]],
  ['/inbox', {}, []],
  ['/session', { cookie: '__Host-earshot_session=x' }, []],
  [`/sign-in/link/${LNK.text}`, {}, [LNK.mark]],
  [`/sign-up/${LNK.text}`, POST, [LNK.mark]],
  [`/reset/${LNK.text}`, POST, [LNK.mark]],
  ['/reset/nothing', {}, []],
  [`/inspect/${EIN.text}`, POST, [EIN.mark]],
  ['/invitations/v1.abc/sign-up', POST, [{ kind: 'invitation', text: 'v1.abc' }]],
  ['/sign-in/google?invitation=v1.abc', {}, [{ kind: 'invitation', text: 'v1.abc' }]],
  ['/email/unsubscribe?token=v1.abc', POST, [{ kind: 'mail_link', text: 'v1.abc' }]],
  ['/v1/views/vw_1/feed.xml?token=efd_1', {}, [{ kind: 'feed', text: 'vw_1 efd_1' }]],
  ['/oauth/authorize?client_id=c1', COOKIE, [SES.mark, { kind: 'client', text: 'c1' }]],
  ['/oauth/authorize', { ...POST, ...COOKIE, body: 'client_id=c1' }, [SES.mark, { kind: 'client', text: 'c1' }]],
  [
    '/oauth/token',
    { ...POST, body: `grant_type=authorization_code&code=${EAC.text}&client_id=c1` },
    [EAC.mark, { kind: 'client', text: 'c1' }],
  ],
  [
    '/oauth/token',
    { ...POST, body: `refresh_token=${ERT.text}`, authorization: `Basic ${btoa('c1:secret')}` },
    [ERT.mark, { kind: 'client', text: 'c1' }],
  ],
  ['/oauth/revoke', { ...POST, body: `token=${ERT.text}` }, [ERT.mark]],
  ['/hooks/slack/oauth?state=v1.abc&code=1', COOKIE, [{ kind: 'slack_state', text: 'v1.abc' }, SES.mark]],
  ['/hooks/slack/oauth', { ...POST, body: 'state=v1.abc' }, [{ kind: 'slack_state', text: 'v1.abc' }]],
  [
    '/hooks/slack/actions',
    { ...POST, body: slackForm({ team: { id: 'T1' }, actions: [{ value: 'mtn_1' }, {}, null] }) },
    [{ kind: 'slack_mention', text: 'T1 mtn_1' }],
  ],
  ['/hooks/slack/actions', { ...POST, body: slackForm(7) }, []],
  ['/hooks/slack/actions', { ...POST, body: 'payload={' }, []],
  ['/hooks/telegram', { ...POST, body: JSON.stringify({ message: { text: `/start ${LNK.text}` } }) }, [LNK.mark]],
  ['/hooks/telegram', { ...POST, body: JSON.stringify({ message: { text: 'hello' } }) }, []],
  ['/hooks/telegram', { ...POST, body: 'null' }, []],
])('%s %j belongs where the marks are', (target, asked, marks) => {
  expect(plan(target, asked)).toMatchObject({ to: 'holder', marks })
})

test.each([
  ['/hooks/stripe', '{}'],
  ['/hooks/email/ses', '{}'],
  ['/hooks/slack/events', '{}'],
  ['/hooks/telegram', JSON.stringify({ my_chat_member: {} })],
  ['/hooks/telegram', JSON.stringify({ message: { migrate_to_chat_id: 1 } })],
])('a message to %s (%j) is for every cell', (target, body) => {
  expect(plan(target, { ...POST, body })).toEqual({ to: 'everyone' })
})

test.each(['/assets/a.js', '/docs/', '/guide/tour', '/llms.txt', '/v1/openapi.json', '/.well-known/openid'])(
  '%s is the same everywhere',
  (target) => expect(plan(target, COOKIE)).toEqual({ to: 'any' }),
)

test.each([
  ['/sign-in', { tries: true, otherwise: 'any' }],
  ['/sign-in/link', { tries: false, otherwise: 'any' }],
  ['/reset', { tries: false, otherwise: 'any' }],
  ['/sign-up', { tries: false, otherwise: 'new' }],
])('a form at %s goes to the person', (target, more) => {
  expect(plan(target, { ...POST, body: 'email=+ada%40example.com+' })).toEqual({
    ...{ to: 'person', email: 'ada@example.com' },
    ...more,
  })
})

test.each(['/sign-up', '/oauth/register', '/sign-in/google'])(
  '%s without a mark is for the cell of new accounts',
  (target) => {
    expect(plan(target)).toMatchObject({ to: 'holder', marks: [], otherwise: 'new' })
  },
)

test.each(['/', '/sign-in', '/sign-out', '/sign-up'])('%s works while the cell of the session is down', (target) => {
  expect(plan(target, COOKIE)).toMatchObject({ marks: [SES.mark], isNeeded: false })
})

function slackForm(payload: unknown): string {
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}
