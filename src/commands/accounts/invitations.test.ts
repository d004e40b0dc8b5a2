import { beforeEach, describe, expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { findSessionPerson } from '../../queries/accounts/find-session-person.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { sql } from '../../store/database.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { atHome, codeOf, forgetEverybody, granted, hashOf, invite, PASSWORD, SOME_MAIL } from './people.suite.ts'
import { signUpFirst } from './sign-up-first.ts'
import { signUpInvited } from './sign-up-invited.ts'

let owner: string
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await forgetEverybody(world)
  owner = granted(
    await signUpFirst(atHome(world.services), {
      email: 'owner@acme.com',
      name: 'Owner',
      password: PASSWORD,
      workspaceName: '-',
    }),
  ).userId
})

const NEW = { name: 'Jane', password: PASSWORD }
const accounts = () => world.db.query(sql`select email, email_confirmed_at from user_account where id <> ${owner}`)

describe('who signs up by an invitation', () => {
  test('belongs to the workspace that invited them, in the role that was meant, and is signed in there', async () => {
    const token = await invite(world, acme.workspaceId, 'Jane@Acme.com', { role: 'admin' })
    const { secret, userId } = granted(await signUpInvited(world.services, token, NEW))
    expect(await listWorkspacesOf(world.db, userId)).toEqual([{ id: acme.workspaceId, name: 'Acme', role: 'admin' }])
    expect(await findSessionPerson(world.db, hashOf(secret), world.clock.now())).toMatchObject({
      user: { email: 'Jane@Acme.com' },
      workspaceId: acme.workspaceId,
    })
  })

  test('has confirmed the address when the link was mailed, and not when it was shown to who invited', async () => {
    // What was shown before the installation had a mail server proves nothing afterwards, and what was mailed still
    // does without one.
    const mailing = { ...world.services, mail: SOME_MAIL }
    granted(await signUpInvited(mailing, await invite(world, acme.workspaceId, 'shown@acme.com'), NEW))
    expect(await accounts()).toEqual([{ email: 'shown@acme.com', email_confirmed_at: null }])
    granted(
      await signUpInvited(
        world.services,
        await invite(world, acme.workspaceId, 'mailed@acme.com', { mailed: true }),
        NEW,
      ),
    )
    expect(await accounts()).toContainEqual({ email: 'mailed@acme.com', email_confirmed_at: world.clock.now() })
  })

  test('makes one account of one invitation, also when it is used several times at once', async () => {
    const token = await invite(world, acme.workspaceId, 'jane@acme.com')
    const answers = await Promise.all([1, 2, 3].map(() => signUpInvited(world.services, token, NEW)))
    expect(answers.map(codeOf).filter((code) => code === 'granted')).toHaveLength(1)
    expect(await accounts()).toHaveLength(1)
    expect(codeOf(await signUpInvited(world.services, token, NEW))).toBe('invalid_token')
  })

  test('makes none when it is withdrawn while the password is worked out', async () => {
    const token = await invite(world, acme.workspaceId, 'jane@acme.com')
    const signingUp = signUpInvited(world.services, token, NEW)
    await world.db.query(sql`delete from invitation where workspace_id = ${acme.workspaceId}`)
    expect(codeOf(await signingUp)).toBe('invalid_token')
    expect(await accounts()).toEqual([])
  })

  test('makes none for an address that has one, and the invitation stays to be accepted', async () => {
    const token = await invite(world, acme.workspaceId, 'Owner@Acme.com')
    expect(codeOf(await signUpInvited(world.services, token, { ...NEW, password: 'of an attacker' }))).toBe('conflict')
    granted(await acceptInvitation(world.services, token, owner as never))
  })

  test.each(['', 'v1.x', 'nonsense'])('makes none with the link %j', async (token) => {
    expect(codeOf(await signUpInvited(world.services, token, NEW))).toBe('invalid_token')
  })

  test('makes none after two days', async () => {
    const token = await invite(world, acme.workspaceId, 'jane@acme.com')
    await world.clock.advance(2 * DAY_MS)
    expect(codeOf(await signUpInvited(world.services, token, NEW))).toBe('invalid_token')
    expect(await accounts()).toEqual([])
  })
})

describe('who has an account and is invited', () => {
  test('belongs to both workspaces, once', async () => {
    const other = await world.workspace('Other')
    const token = await invite(world, other.workspaceId, 'OWNER@acme.com', { role: 'admin' })
    const answers = await Promise.all([1, 2].map(() => acceptInvitation(world.services, token, owner as never)))
    expect(answers.map(codeOf).sort()).toEqual(['granted', 'invalid_token'])
    expect((await listWorkspacesOf(world.db, owner as never)).map(({ name, role }) => [name, role])).toEqual([
      ['Acme', 'owner'],
      ['Other', 'admin'],
    ])
  })

  test('keeps their role where they belong already', async () => {
    granted(
      await acceptInvitation(world.services, await invite(world, acme.workspaceId, 'owner@acme.com'), owner as never),
    )
    expect(await listWorkspacesOf(world.db, owner as never)).toMatchObject([{ role: 'owner' }])
  })

  test('cannot take the invitation of another address, which stays open', async () => {
    const token = await invite(world, acme.workspaceId, 'jane@acme.com')
    expect(codeOf(await acceptInvitation(world.services, token, owner as never))).toBe('forbidden')
    granted(await signUpInvited(world.services, token, NEW))
  })
})
