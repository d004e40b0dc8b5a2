import { beforeEach, describe, expect, test } from 'vitest'
import { createPerson, createToken } from '../../../test/people.ts'
import { changeUser, removeMembership } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { FIRST_PASSWORD_MS, OWN_WORKSPACES_MAX } from '../../domain/account/account.ts'
import { WELCOME_CREDIT } from '../../domain/wallet/prices.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { listGrantsOf } from '../../queries/accounts/list-grants-of.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { sql } from '../../store/database.ts'
import { changePassword } from './change-password.ts'
import { createOwnWorkspace } from './create-own-workspace.ts'
import type { SignedIn } from './open-session.ts'
import {
  codeOf,
  forgetEverybody,
  granted,
  hashOf,
  invite,
  isOpen,
  lastSecret,
  PASSWORD,
  SOME_MAIL,
} from './people.suite.ts'
import { renameAccount } from './rename-account.ts'
import { requestLink } from './request-link.ts'
import { revokeGrant } from './revoke-grant.ts'
import { signIn } from './sign-in.ts'
import { signInByLink } from './sign-in-by-link.ts'
import { signOut } from './sign-out.ts'
import { signUpInvited } from './sign-up-invited.ts'

let jane: SignedIn
const world = useWorld({ mail: SOME_MAIL })
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await forgetEverybody(world)
  await createPerson(world.services, acme.workspaceId, 'owner')
  jane = granted(
    await signUpInvited(world.services, await invite(world, acme.workspaceId, 'jane@acme.com'), {
      name: 'Jane',
      password: PASSWORD,
    }),
  )
})

const NEXT = 'another good password'
const change = (given: { current?: string; next?: string; disconnect?: boolean }, session = jane) =>
  changePassword(
    world.services,
    session.userId,
    { current: PASSWORD, next: NEXT, disconnect: true, ...given },
    hashOf(session.secret),
  )

describe('changing the password', () => {
  test('keeps this browser signed in, no other, and no link that is on its way', async () => {
    const elsewhere = granted(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))
    await requestLink(world.services, 'sign_in', 'jane@acme.com')
    const link = await lastSecret(world)
    expect(await change({})).toBeUndefined()
    expect([await isOpen(world, jane.secret), await isOpen(world, elsewhere.secret)]).toEqual([true, false])
    expect(codeOf(await signInByLink(world.services, link))).toBe('invalid_token')
    expect(codeOf(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))).toBe('unauthorized')
    granted(await signIn(world.services, { email: 'jane@acme.com', password: NEXT }))
  })

  test('takes the present one', async () => {
    for (const current of ['', NEXT]) expect(codeOf(await change({ current }))).toBe('validation_error')
    expect(codeOf(await change({ next: 'short' }))).toBe('validation_error')
    granted(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))
  })

  test('sets the first one of who has none and has just signed in, and not with a session that was found or stolen', async () => {
    await changeUser(world, { id: jane.userId }, { passwordHash: null })
    await world.clock.advance(FIRST_PASSWORD_MS)
    expect(codeOf(await change({ current: '' }))).toBe('forbidden')
    expect(codeOf(await signIn(world.services, { email: 'jane@acme.com', password: NEXT }))).toBe('unauthorized')
    await requestLink(world.services, 'sign_in', 'jane@acme.com')
    const anew = granted(await signInByLink(world.services, await lastSecret(world)))
    await world.clock.advance(FIRST_PASSWORD_MS - 1)
    expect(await change({ current: '' }, anew)).toBeUndefined()
    granted(await signIn(world.services, { email: 'jane@acme.com', password: NEXT }))
  })

  test('with a password takes none of that, however long ago somebody signed in', async () => {
    await world.clock.advance(2 * FIRST_PASSWORD_MS)
    expect(await change({})).toBeUndefined()
  })

  test.each([
    [true, 401],
    [false, 200],
  ])('with disconnecting %s answers programs %i afterwards', async (disconnect, status) => {
    const joe = await createPerson(world.services, acme.workspaceId, 'member')
    const session = { ...jane, userId: joe.userId, secret: joe.sessionSecret }
    expect(await change({ current: '', disconnect }, session)).toBeUndefined()
    expect((await world.api('GET', '/v1/whoami', undefined, { key: joe.token })).status).toBe(status)
  })

  test('twice at once sets one of the two', async () => {
    const answers = await Promise.all([change({ next: NEXT }), change({ next: `${NEXT} too` })])
    expect(answers.map(codeOf).sort()).toEqual(['conflict', 'granted'])
  })

  test('is not for a session that has ended meanwhile, or that of another person', async () => {
    const other = await createPerson(world.services, acme.workspaceId, 'member')
    expect(codeOf(await change({}, { ...jane, secret: other.sessionSecret }))).toBe('conflict')
    await signOut(world.services, hashOf(jane.secret))
    expect(codeOf(await change({}))).toBe('conflict')
    granted(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))
  })
})

describe('a name', () => {
  test('is changed, on one line, for this person alone', async () => {
    expect(await renameAccount(world.services, jane.userId, '  Jane\t Q. <b>Doe</b> ')).toBeUndefined()
    expect(await world.db.query(sql`select name from user_account where name like 'Jane%'`)).toEqual([
      { name: 'Jane Q. <b>Doe</b>' },
    ])
    expect(codeOf(await renameAccount(world.services, jane.userId, ' '))).toBe('validation_error')
  })
})

describe('a workspace of their own', () => {
  const wallet = (workspaceId: Uuid) =>
    world.db.query(sql`select balance_units, welcome_limits from workspace where id = ${workspaceId}`)
  const ledger = (workspaceId: Uuid) =>
    world.db.query(sql`select kind from ledger_entry where workspace_id = ${workspaceId}`)

  test('comes with the welcome credit the first time only', async () => {
    const [first, second] = [
      granted(await createOwnWorkspace(world.services, jane.userId, ' My  workspace ')),
      granted(await createOwnWorkspace(world.services, jane.userId, 'Another')),
    ]
    expect(await wallet(first.workspaceId)).toEqual([{ balance_units: WELCOME_CREDIT, welcome_limits: true }])
    expect(await ledger(first.workspaceId)).toEqual([{ kind: 'signup_credit' }])
    expect(await wallet(second.workspaceId)).toEqual([{ balance_units: 0, welcome_limits: true }])
    expect(await ledger(second.workspaceId)).toEqual([])
    expect((await listWorkspacesOf(world.db, jane.userId)).map(({ name, role }) => [name, role])).toEqual([
      ['Acme', 'member'],
      ['My workspace', 'owner'],
      ['Another', 'owner'],
    ])
  })

  test('comes with one credit when several are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, (_, at) => createOwnWorkspace(world.services, jane.userId, `Own ${at}`)),
    )
    const ledgers = await Promise.all(made.map((item) => ledger(granted(item).workspaceId)))
    expect(ledgers.flat()).toEqual([{ kind: 'signup_credit' }])
  })

  test('can be made so often, and not without a name', async () => {
    expect(codeOf(await createOwnWorkspace(world.services, jane.userId, ''))).toBe('validation_error')
    const answers = []
    for (let made = 0; made <= OWN_WORKSPACES_MAX; made += 1)
      answers.push(codeOf(await createOwnWorkspace(world.services, jane.userId, 'Own')))
    expect(answers).toEqual([...Array.from({ length: OWN_WORKSPACES_MAX }, () => 'granted'), 'conflict'])
  })
})

describe('what programs were allowed', () => {
  test('is listed and ended by the person who allowed it, and by no other', async () => {
    const [joe, ann] = [
      await createPerson(world.services, acme.workspaceId, 'member'),
      await createPerson(world.services, acme.workspaceId, 'admin'),
    ]
    const [grant, ...others] = await listGrantsOf(world.db, joe.userId, world.clock.now())
    expect([grant, others]).toEqual([
      {
        workspaceId: acme.workspaceId,
        workspaceName: 'Acme',
        id: joe.grantId,
        clientName: 'A client',
        clientId: expect.stringMatching(/^client-/),
        scope: 'write',
        createdAt: world.clock.now(),
        made: { keys: [], invitations: [], channels: [] },
      },
      [],
    ])
    expect(codeOf(await revokeGrant(world.services, ann.userId, grant!))).toBe('not_found')
    const another = await createToken(world.services, acme.workspaceId, joe.grantId, 'eat')
    expect(await revokeGrant(world.services, joe.userId, grant!)).toBeUndefined()
    expect(codeOf(await revokeGrant(world.services, joe.userId, grant!))).toBe('not_found')
    expect(await listGrantsOf(world.db, joe.userId, world.clock.now())).toEqual([])
    for (const token of [joe.token, another])
      expect((await world.api('GET', '/v1/whoami', undefined, { key: token })).status).toBe(401)
    expect((await world.api('GET', '/v1/whoami', undefined, { key: ann.token })).status).toBe(200)
  })

  test('is not listed for a workspace that the person has left', async () => {
    const joe = await createPerson(world.services, acme.workspaceId, 'member')
    await removeMembership(world, { workspaceId: acme.workspaceId, userId: joe.userId })
    expect(await listGrantsOf(world.db, joe.userId, world.clock.now())).toEqual([])
  })
})
