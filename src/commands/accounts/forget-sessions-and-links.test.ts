import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorld } from '../../../test/use-world.ts'
import { SESSION_MS } from '../../domain/account/account.ts'
import { INVITATION_MAILS } from '../../domain/member/invitation.ts'
import { sql } from '../../store/database.ts'
import { inviteMember } from '../members/invite-member.ts'
import { forgetSessionsAndLinks } from './forget-sessions-and-links.ts'
import { forgetEverybody, granted, hashOf, invite, isOpen, SOME_MAIL } from './people.suite.ts'
import { requestLink } from './request-link.ts'

const world = useWorld({ mail: SOME_MAIL })

async function left(): Promise<Record<string, number>> {
  const [row] = await world.db.query<Record<string, number>>(sql`
    select (select count(*) from user_session) as sessions, (select count(*) from email_link) as links,
           (select count(*) from invitation) as invitations, (select count(*) from account_mail) as mails`)
  return row!
}

test('what is over goes, each at its time, and what is not stays', async () => {
  await forgetEverybody(world)
  const acme = await world.workspace('Acme')
  const jane = await createPerson(world.services, acme.workspaceId, 'owner')
  await requestLink(world.services, 'sign_in', jane.email)
  await invite(world, acme.workspaceId, 'joe@acme.com')
  expect(await forgetSessionsAndLinks(world.services)).toBe(0)
  expect(await left()).toEqual({ sessions: 1, links: 1, invitations: 1, mails: 1 })
  await world.clock.advance(3_600_000)
  expect(await forgetSessionsAndLinks(world.services)).toBe(2)
  expect(await left()).toEqual({ sessions: 1, links: 0, invitations: 1, mails: 0 })
  await world.clock.advance(2 * 86_400_000)
  expect(await forgetSessionsAndLinks(world.services)).toBe(1)
  expect(await isOpen(world, jane.sessionSecret)).toBe(true)
  await world.clock.advance(SESSION_MS)
  expect(await forgetSessionsAndLinks(world.services)).toBe(1)
  expect(await left()).toEqual({ sessions: 0, links: 0, invitations: 0, mails: 0 })
})

test('how often somebody was invited is forgotten when it counts no more', async () => {
  await forgetEverybody(world)
  const acme = await world.workspace('Inviting')
  const jane = await createPerson(world.services, acme.workspaceId, 'owner')
  granted(await inviteMember(acme, jane.userId, { email: 'joe@acme.com', role: 'member' }))
  const counted = () => world.db.query(sql`select mailbox from invitation_mail`)
  expect(await counted()).toEqual([{ mailbox: 'joe@acme.com' }])
  await world.clock.advance(INVITATION_MAILS.withinMs - 1)
  await forgetSessionsAndLinks(world.services)
  expect(await counted()).toHaveLength(1)
  await world.clock.advance(1)
  await forgetSessionsAndLinks(world.services)
  expect(await counted()).toEqual([])
})

test('a session that is kept alive at that moment is not taken away', async () => {
  await forgetEverybody(world)
  const acme = await world.workspace('Kept')
  const jane = await createPerson(world.services, acme.workspaceId, 'owner')
  await world.clock.advance(SESSION_MS)
  await world.db.transaction(async (tx) => {
    await tx.query(
      sql`update user_session set expires_at = expires_at + interval '1 day'
          where hash = ${hashOf(jane.sessionSecret)}`,
    )
    expect(await forgetSessionsAndLinks(world.services)).toBe(0)
  })
  expect(await isOpen(world, jane.sessionSecret)).toBe(true)
})

test('more than one portion goes in one run', async () => {
  await forgetEverybody(world)
  const now = world.clock.now()
  await world.db.query(sql`
    insert into email_link (hash, purpose, email, created_at, expires_at)
    select sha256(number::text::bytea), 'sign_up', number || '@acme.com', ${now}::timestamptz, ${now}::timestamptz
      from generate_series(1, 2500) number`)
  expect(await forgetSessionsAndLinks(world.services)).toBe(2500)
})
