import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { empty } from '../../../test/rows.ts'
import { useFreshWorkspace, useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { boundTo } from '../../commands/mail/queue-mail.ts'
import { inviteMember } from '../../commands/members/invite-member.ts'
import { openInvitationLink } from '../../commands/members/open-invitation-link.ts'
import { INVITATION_MAILS, INVITATION_MS } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { TEAM_LIMITS } from '../../domain/member/team.ts'
import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import type { MailTransport } from '../../kernel/mail.ts'
import { sql } from '../../store/database.ts'

const silent: MailTransport = { send: async () => ({ outcome: 'sent' }), close: async () => undefined }

let owner: Person
const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  owner = await createPerson(world.services, acme.workspaceId, 'owner')
})

function invite(body: unknown, by: Person = owner) {
  return acme.api('POST', '/v1/members/invitations', body, { key: by.token })
}

test('an invitation is answered whole, with its link where no mail is sent', async () => {
  const { status, body } = await invite({ email: ' Ada@People.example ', role: 'admin' })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
    email: 'Ada@People.example',
    role: 'admin',
    invitedBy: toId('user', owner.userId),
    expiresAt: plus(world.clock.now(), 48 * 60 * MINUTE_MS).toISOString(),
    createdAt: world.clock.now().toISOString(),
    url: expect.stringMatching(/^https:\/\/earshot\.test\/invitations\/v1\./),
  })
  expect(await openInvitationLink(world.services, body.url.split('/').at(-1))).toMatchObject({
    email: 'Ada@People.example',
    role: 'admin',
  })
})

test('who is invited without a role becomes a member', async () => {
  expect((await invite({ email: 'plain@people.example' })).body.role).toBe('member')
})

test.each(['ada@people.example', 'ADA@PEOPLE.EXAMPLE', '  ada@people.example\n'])(
  '%j, invited again, is answered the open invitation as it was',
  async (email) => {
    const { body: first } = await invite({ email: 'Ada@people.example', role: 'member' })
    const { status, body } = await invite({ email, role: 'admin' })
    expect(status).toBe(200)
    expect({ ...body, url: null }).toEqual({ ...first, url: null })
    expect((await acme.api('GET', '/v1/members/invitations')).body.data).toHaveLength(1)
  },
)

test('the OpenAPI document tells both answers', async () => {
  const { body } = await acme.api('GET', '/v1/openapi.json', undefined, { key: null })
  const { responses, description } = body.paths['/v1/members/invitations'].post
  expect(Object.keys(responses).slice(0, 2)).toEqual(['200', '201'])
  expect(responses['200'].content).toEqual(responses['201'].content)
  expect(responses['200'].description).not.toBe(responses['201'].description)
  expect(description).toContain('Requires a signed-in person; API keys may not use it.')
  expect(Object.keys(responses['403'] ?? {})).not.toEqual([])
})

test('an expired invitation is replaced, and its link stays dead', async () => {
  const { body: first } = await invite({ email: 'late@people.example', role: 'member' })
  await world.clock.advance(INVITATION_MS)
  owner = await createPerson(world.services, acme.workspaceId, 'owner')
  const { status, body } = await invite({ email: 'late@people.example', role: 'admin' })
  expect([status, body.role]).toEqual([201, 'admin'])
  expect(body.id).not.toBe(first.id)
  expect(await openInvitationLink(world.services, first.url.split('/').at(-1))).toMatchObject({ code: 'invalid_token' })
})

test('one address invited by many at once has one invitation', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => invite({ email: 'race@people.example' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})

test('a member is not invited, however the address is written', async () => {
  const member = await createPerson(world.services, acme.workspaceId, 'member')
  const { status, body } = await invite({ email: member.email.toUpperCase() })
  expect([status, body.error.code]).toEqual([409, 'already_member'])
  const other = await createPerson(world.services, (await world.workspace('Other')).workspaceId, 'member')
  expect((await invite({ email: other.email })).status).toBe(201)
})

test('admins invite; members, API keys and tokens with read scope do not', async () => {
  const codes: unknown[] = []
  const cast: [Role, 'read' | 'write'][] = [
    ['admin', 'write'],
    ['admin', 'read'],
    ['member', 'write'],
  ]
  for (const [role, scope] of cast) {
    const { status, body } = await invite(
      { email: 'who@people.example' },
      await createPerson(world.services, acme.workspaceId, role, { scope }),
    )
    codes.push([status, body.error?.code ?? null])
  }
  const byKey = await acme.api('POST', '/v1/members/invitations', { email: 'key@people.example' })
  expect([...codes, [byKey.status, byKey.body.error.code]]).toEqual([
    [201, null],
    [403, 'read_only_key'],
    [403, 'forbidden'],
    [403, 'forbidden'],
  ])
})

test('who lost the right since their request began does not invite', async () => {
  const elsewhere = await createPerson(world.services, (await world.workspace('Other')).workspaceId, 'owner')
  const member = await createPerson(world.services, acme.workspaceId, 'member')
  for (const { userId } of [elsewhere, member])
    expect(await inviteMember(acme, userId, { email: 'x@people.example', role: 'admin' })).toMatchObject({
      code: 'forbidden',
    })
})

test('a workspace never has more than 50 open invitations, also when many are made at once', async () => {
  for (let made = 0; made < TEAM_LIMITS.openInvitations - 2; made += 1)
    accepted(await inviteMember(acme, owner.userId, { email: `guest-${made}@people.example`, role: 'member' }))
  const answers = await Promise.all([1, 2, 3, 4, 5].map((at) => invite({ email: `race-${at}@people.example` })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409])
  expect(answers.find(({ status }) => status === 409)!.body.error.code).toBe('conflict')
  expect((await invite({ email: 'guest-0@people.example' })).status).toBe(200)

  const [oldest] = (await acme.api('GET', '/v1/members/invitations')).body.data
  await acme.api('DELETE', `/v1/members/invitations/${oldest.id}`, undefined, { key: owner.token })
  expect((await invite({ email: 'freed@people.example' })).status).toBe(201)
})

test('members and open invitations together never exceed what a workspace may have', async () => {
  await world.db.query(sql`
    with people as (
      insert into user_account (id, email, email_folded, name, created_at)
      select gen_random_uuid(), email, email, 'Filler', ${world.clock.now()}
        from (select ${acme.workspaceId}::text || '-' || n || '@people.example' as email
          from generate_series(1, ${TEAM_LIMITS.people - 2}) n) addresses
      returning id)
    insert into membership (workspace_id, id, user_id, role, joined_at)
    select ${acme.workspaceId}, gen_random_uuid(), id, 'member', ${world.clock.now()} from people`)
  expect((await invite({ email: 'last@people.example' })).status).toBe(201)
  const { status, body } = await invite({ email: 'too-many@people.example' })
  expect([status, body.error.code]).toEqual([409, 'conflict'])
  expect((await acme.api('GET', '/v1/members')).status).toBe(200)
})

test('a workspace writes to few strangers in a minute', async () => {
  const answers = []
  for (let sent = 0; sent < 21; sent += 1) answers.push(await invite({ email: `spam-${sent}@people.example` }))
  expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(201), 429])
})

test.each([
  [{}, 'email: is required'],
  [{ email: 'x@people.example', role: 'owner' }, 'role: must be one of admin, member'],
  [{ email: 'nobody' }, 'email: must be an e-mail address'],
  [{ email: '' }, 'email: must be an e-mail address'],
  [{ email: 'a@b.example\r\nBcc: all@people.example' }, 'email: must be an e-mail address'],
  [{ email: 'a@b.example, c@d.example' }, 'email: must be an e-mail address'],
  [{ email: 'Ada <a@b.example>' }, 'email: must be an e-mail address'],
  [{ email: `${'x'.repeat(250)}@b.example` }, 'email: must have at most 254 characters'],
  [{ email: 5 }, 'email: must be text'],
])('%j is refused by naming the field', async (body, message) => {
  const answer = await invite(body)
  expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([400, 'validation_error', message])
})

describe('where mail is sent', () => {
  let inviter: Person
  const mailing = useWorld(() => ({ mail: silent }))
  const workspace = useWorkspace(mailing, 'Mailing')
  beforeAll(async () => {
    inviter = await createPerson(mailing.services, workspace.workspaceId, 'owner')
  })

  async function mails(): Promise<{ to: string; subject: string; text: string; expiresAt: Date }[]> {
    const rows = await mailing.db.query<{ id: Uuid; sealed: string; expires_at: Date }>(
      sql`select id, sealed, expires_at from account_mail order by id`,
    )
    return rows.map(({ id, sealed, expires_at }) => ({
      ...JSON.parse(mailing.services.sealer.open(sealed, boundTo(id))!),
      expiresAt: expires_at,
    }))
  }

  test('the link goes out once, by mail, and is in no answer', async () => {
    const send = () =>
      workspace.api('POST', '/v1/members/invitations', { email: 'Ada@people.example' }, { key: inviter.token })
    const [first, again] = [await send(), await send()]
    expect([first.status, first.body.url, again.status, again.body.url]).toEqual([201, null, 200, null])
    expect(
      (await workspace.api('GET', '/v1/members/invitations', undefined, { key: inviter.token })).body.data[0].url,
    ).toBeNull()

    const sent = await mails()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: 'Ada@people.example', expiresAt: new Date(first.body.expiresAt) })
    expect(sent[0]!.subject).toContain('Mailing')
    const token = /https:\/\/earshot\.test\/invitations\/(\S+)/.exec(sent[0]!.text)![1]!
    expect(await openInvitationLink(mailing.services, token)).toMatchObject({
      id: expect.any(String),
      email: 'Ada@people.example',
    })
  })

  test('who invites and withdraws over and over floods nobody, whichever workspaces and spellings they use', async () => {
    const other = await mailing.workspace('Another')
    const colleague = await createPerson(mailing.services, other.workspaceId, 'owner')
    const inviters = [
      { at: workspace, by: inviter },
      { at: other, by: colleague },
    ]
    const statuses: number[] = []
    for (let round = 0; round < INVITATION_MAILS.most + 2; round += 1) {
      const { at, by } = inviters[round % 2]!
      const email = round % 3 === 0 ? 'Stranger@people.example' : `stranger+${round}@people.example`
      const { status, body, headers } = await at.api('POST', '/v1/members/invitations', { email }, { key: by.token })
      statuses.push(status)
      // What was mailed has left before it is withdrawn.
      await empty(mailing, 'account_mail')
      if (status === 201) await at.api('DELETE', `/v1/members/invitations/${body.id}`, undefined, { key: by.token })
      else
        expect([body.error.code, headers.get('retry-after')]).toEqual([
          'rate_limited',
          String(INVITATION_MAILS.withinMs / 1000),
        ])
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429])
    expect(await mails()).toEqual([])
    await mailing.clock.advance(INVITATION_MAILS.withinMs)
    const later = await createPerson(mailing.services, other.workspaceId, 'owner')
    expect(
      (await other.api('POST', '/v1/members/invitations', { email: 'stranger@people.example' }, { key: later.token }))
        .status,
    ).toBe(201)
    inviter = await createPerson(mailing.services, workspace.workspaceId, 'owner')
  })

  test('of many workspaces that invite one address at once no more than the most write to it', async () => {
    const rush = await Promise.all(
      Array.from({ length: INVITATION_MAILS.most + 2 }, async () => {
        const { workspaceId, api } = await mailing.workspace('Rush')
        const { token } = await createPerson(mailing.services, workspaceId, 'owner')
        return () => api('POST', '/v1/members/invitations', { email: 'rushed@people.example' }, { key: token })
      }),
    )
    const answers = await Promise.all(rush.map((invite) => invite()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(INVITATION_MAILS.most)
  })

  test('nothing is sent for what is refused', async () => {
    const before = (await mails()).length
    await workspace.api('POST', '/v1/members/invitations', { email: inviter.email }, { key: inviter.token })
    await workspace.api('POST', '/v1/members/invitations', { email: 'someone@people.example' })
    expect(await mails()).toHaveLength(before)
  })
})
