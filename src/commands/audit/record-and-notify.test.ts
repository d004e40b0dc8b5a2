import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { empty } from '../../../test/rows.ts'
import { createMailServer } from '../../../test/stand-ins/mail-server.ts'
import { useFreshWorkspace, useResource, useWorld } from '../../../test/use-world.ts'
import { accepted, stored } from '../../../test/world.ts'
import { HOUR_MS, systemClock } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { SmtpTransport } from '../../kernel/smtp.ts'
import { sql } from '../../store/database.ts'
import { sendMails } from '../mail/send-all.suite.ts'
import { inviteMember } from '../members/invite-member.ts'
import { joinWorkspace } from '../members/join-workspace.ts'
import { allowClient } from '../oauth/allow-client.ts'
import { MAILED_MOST, recordAndNotify } from './record-and-notify.ts'

let transport: SmtpTransport
let owners: Person[]
const server = useResource(createMailServer)
beforeAll(() => {
  transport = new SmtpTransport({
    smtpUrl: server.url,
    from: 'Earshot <no-reply@earshot.example>',
    clock: systemClock,
  })
})
const world = useWorld(() => ({ mail: transport }))
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  owners = [
    await createPerson(world.services, acme.workspaceId, 'owner'),
    await createPerson(world.services, acme.workspaceId, 'owner'),
  ]
  await createPerson(world.services, acme.workspaceId, 'admin')
  await empty(world, 'account_mail')
  await world.clock.advance(HOUR_MS)
  await world.db.query(sql`delete from audit_entry`)
  server.mails.length = 0
})
afterAll(() => transport.close())

async function mails() {
  await sendMails({ ...world.services, log: silentLog })
  return server.mails.map((mail) => ({ to: mail.to[0], subject: mail.header('Subject'), text: mail.text }))
}

const addresses = () => owners.map(({ email }) => email).sort()

test('every owner is told of a new API key, by whom it was made and where it is revoked, and nobody else', async () => {
  const [owner] = owners
  const { token } = await createPerson(world.services, acme.workspaceId, 'owner')
  owners.push({ ...owner!, email: (await acme.api('GET', '/v1/whoami', undefined, { key: token })).body.user.email })
  const { body } = await acme.api('POST', '/v1/api-keys', { name: 'Robot', scope: 'write' }, { key: token })
  const told = await mails()
  expect(told.map(({ to }) => to).sort()).toEqual(addresses())
  expect(told[0]!.subject).toBe('A new API key in “Acme” on Earshot')
  expect(told[0]!.text).toContain(
    '“Person who is owner”, through the app “A client”, made the API key “Robot” in “Acme” on Earshot.',
  )
  expect(told[0]!.text).toContain('https://earshot.test/keys')
  expect(told[0]!.text).not.toContain(body.key)
})

test('of many within an hour a few are mailed, the last of which says so, and again when the hour is over', async () => {
  for (let made = 0; made < MAILED_MOST + 3; made += 1) await acme.api('POST', '/v1/api-keys', { name: `Key ${made}` })
  const told = await mails()
  expect(told).toHaveLength(MAILED_MOST * owners.length)
  expect(told.filter(({ text }) => text.includes('Further ones are not mailed'))).toHaveLength(owners.length)
  await world.clock.advance(HOUR_MS + 1000)
  server.mails.length = 0
  await acme.api('POST', '/v1/api-keys', { name: 'Later' })
  expect(await mails()).toHaveLength(owners.length)
})

test('owners are told of who manages the team from now on, and not of members', async () => {
  const change = async (role: string, id: string) =>
    acme.api(
      'PATCH',
      `/v1/members/${id}`,
      { role },
      { key: (await createPerson(world.services, acme.workspaceId, 'owner')).token },
    )
  const joe = await createPerson(world.services, acme.workspaceId, 'member')
  const [row] = await world.db.query<{ id: Parameters<typeof toId>[1] }>(
    sql`select id from membership where user_id = ${joe.userId}`,
  )
  const id = toId('mem', row!.id)
  expect((await change('admin', id)).status).toBe(200)
  const told = await mails()
  expect(told.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^“person-.*” is an admin of “Acme” on Earshot$/)),
  )
  server.mails.length = 0
  expect((await change('member', id)).status).toBe(200)
  expect(await mails()).toEqual([])
})

test.each([
  ['admin', 2],
  ['member', 0],
] as const)('of somebody who joins as %s %i owners are told', async (role, count) => {
  const { id } = accepted(
    await inviteMember({ ...acme, mail: null }, owners[0]!.userId, { email: 'joe@people.example', role }),
  ).invitation
  const joe = await createPerson(world.services, (await world.workspace('Elsewhere')).workspaceId, 'member')
  const key = { workspaceId: acme.workspaceId, id: stored('inv', id) }
  expect(
    await world.db.transaction((tx) => joinWorkspace(tx, world.services, key, joe.userId, world.clock.now())),
  ).toBeUndefined()
  expect((await mails()).map(({ to }) => to).sort()).toEqual(count === 0 ? [] : addresses())
})

test('owners are told of an app that somebody connects', async () => {
  const member = await createPerson(world.services, acme.workspaceId, 'member')
  const [client] = await world.db.query<{ id: string; name: string }>(sql`
    select c.id, c.name from oauth_client c join oauth_grant g on g.client_id = c.id where g.id = ${member.grantId}`)
  const [session] = await world.db.query<{ hash: Buffer }>(
    sql`select hash from user_session where user_id = ${member.userId}`,
  )
  const request = {
    client,
    redirectUri: 'https://client.example/callback',
    state: null,
    challenge: 'x',
    scope: 'write',
    resource: 'https://earshot.test/mcp',
  }
  const allowed = {
    request: request as never,
    userId: member.userId,
    sessionHash: session!.hash,
    scope: 'write' as const,
  }
  expect(await allowClient(acme, allowed)).toHaveProperty('code')
  const told = await mails()
  expect(told.map(({ to }) => to).sort()).toEqual(addresses())
  expect(told[0]!.text).toContain(
    'allowed the app “A client” to read and change “Acme” on Earshot. The app chose this name itself',
  )
})

test('who has another password is told themselves, once, in however many workspaces they are', async () => {
  const person = owners[0]!
  const other = await world.workspace('Other')
  await world.db.query(
    sql`insert into membership select ${other.workspaceId}, gen_random_uuid(), user_id, role, joined_at from membership
        where user_id = ${person.userId}`,
  )
  const changed = {
    ofPerson: person.userId,
    kind: 'password.changed',
    target: { userId: person.userId },
    data: { by: 'person' },
  } as const
  await world.db.transaction((tx) => recordAndNotify(tx, world.services, changed, world.clock.now()))
  expect(await mails()).toEqual([
    {
      to: person.email,
      subject: 'Your password for Earshot was changed',
      text: expect.stringContaining('https://earshot.test/reset'),
    },
  ])
})

test('nothing waits where there is no mail server', async () => {
  const silent = { ...acme, mail: null }
  const event = {
    workspaceId: acme.workspaceId,
    kind: 'app.connected',
    target: { id: 'x', name: 'X' },
    data: { scope: 'read' },
  } as const
  await world.db.transaction((tx) => recordAndNotify(tx, silent, event, world.clock.now()))
  expect(await world.db.query(sql`select from account_mail`)).toEqual([])
  await world.db.transaction((tx) => recordAndNotify(tx, acme, event, world.clock.now()))
  expect(await world.db.query(sql`select from account_mail`)).toHaveLength(2)
})

test('every owner is told of a scheduled deletion with its time, and of the restore', async () => {
  const { token } = await createPerson(world.services, acme.workspaceId, 'owner')
  const { body } = await acme.api('DELETE', '/v1/workspace?name=Acme', undefined, { key: token })
  const told = await mails()
  expect(told).toHaveLength(owners.length + 1)
  expect(told[0]!.subject).toBe('“Acme” on Earshot will be deleted')
  expect(told[0]!.text).toContain(`${body.deletesAt.slice(0, 10)} ${body.deletesAt.slice(11, 16)} UTC`)
  expect(told[0]!.text).toContain('https://earshot.test/settings/team')
  server.mails.length = 0
  await acme.api('POST', '/v1/workspace/restore', undefined, { key: token })
  expect((await mails()).map(({ subject }) => subject)).toEqual(
    Array.from({ length: owners.length + 1 }, () => '“Acme” on Earshot is restored'),
  )
})
