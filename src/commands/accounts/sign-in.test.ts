import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { changeUser, removeMembership } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { SESSION_MS } from '../../domain/account/account.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { hashPassword, NOBODYS } from '../../kernel/passwords.ts'
import { findSessionPerson } from '../../queries/accounts/find-session-person.ts'
import { sql } from '../../store/database.ts'
import { addMember } from '../members/join-workspace.ts'
import { chooseWorkspace } from './choose-workspace.ts'
import { atHome, codeOf, forgetEverybody, granted, hashOf, isOpen, PASSWORD, waitingForLocks } from './people.suite.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { signOutEverywhere } from './sign-out-everywhere.ts'
import { signUpFirst } from './sign-up-first.ts'

const { checked } = vi.hoisted(() => ({ checked: [] as string[] }))
vi.mock('@node-rs/argon2', async (load) => {
  const actual = await load<typeof import('@node-rs/argon2')>()
  return {
    ...actual,
    verify: (hashed: string, text: string) => {
      checked.push(hashed)
      return actual.verify(hashed, text)
    },
  }
})

let other: TestWorkspace
let userId: Uuid
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  await world.clock.advance(1)
  other = await world.workspace('Other')
})
beforeEach(async () => {
  await forgetEverybody(world)
  userId = granted(
    await signUpFirst(atHome(world.services), {
      email: 'Jane@Acme.com',
      name: 'Jane',
      password: PASSWORD,
      workspaceName: '-',
    }),
  ).userId
  checked.length = 0
})

const JANE = { email: 'jane@acme.com', password: PASSWORD }
const chosenIn = async (secret: string) =>
  (await findSessionPerson(world.db, hashOf(secret), world.clock.now()))?.workspaceId

describe('signing in', () => {
  test('opens a session of its own every time, for thirty days', async () => {
    const [first, second] = [
      granted(await signIn(world.services, JANE)),
      granted(await signIn(world.services, { ...JANE, email: ' JANE@acme.com ' })),
    ]
    expect(first.secret).not.toBe(second.secret)
    expect(first.expiresAt.getTime() - world.clock.now().getTime()).toBe(SESSION_MS)
    await world.clock.advance(SESSION_MS - 1)
    expect(await isOpen(world, first.secret)).toBe(true)
    await world.clock.advance(1)
    expect(await isOpen(world, first.secret)).toBe(false)
  })

  test('leaves nothing in the database by which somebody gets in', async () => {
    const { secret } = granted(await signIn(world.services, JANE))
    const rows = await world.db.query<{ hash: Buffer }>(
      sql`select hash from user_session where hash = ${hashOf(secret)}`,
    )
    expect(rows).toHaveLength(1)
    expect(secret).not.toContain(rows[0]!.hash.toString('base64url'))
    expect(await isOpen(world, `ses_${rows[0]!.hash.toString('base64url')}`)).toBe(false)
  })

  test('with a wrong password, an unknown address, no address and an account without password is refused in the same words', async () => {
    const { email } = await createPerson(world.services, acme.workspaceId, 'member')
    const attempts = [
      { ...JANE, password: 'a horse and a stapler' },
      { ...JANE, email: 'nobody@acme.com' },
      { ...JANE, email: '' },
      { ...JANE, email: "' or true --" },
      { ...JANE, password: '' },
      { email, password: '' },
    ]
    const answers = await Promise.all(attempts.map((attempt) => signIn(world.services, attempt)))
    expect(new Set(answers.map((answer) => isRefusal(answer) && `${answer.status} ${answer.message}`)).size).toBe(1)
    expect(answers.map(codeOf)).toEqual(attempts.map(() => 'unauthorized'))
  })

  test('costs one check of a password whether or not there is an account', async () => {
    await signIn(world.services, { ...JANE, email: 'nobody@acme.com' })
    expect(checked).toEqual([NOBODYS])
    await signIn(world.services, { ...JANE, email: 'nonsense' })
    expect(checked).toEqual([NOBODYS, NOBODYS])
    await signIn(world.services, { ...JANE, password: 'wrong' })
    expect(checked).toHaveLength(3)
  })

  test('with a password that is changed while it is checked does not outlive the change', async () => {
    const next = await hashPassword('something quite else')
    let signingIn: ReturnType<typeof signIn> | undefined
    await world.db.transaction(async (tx) => {
      await changeUser({ db: tx }, { id: userId }, { passwordHash: next })
      signingIn = signIn(world.services, JANE)
      // Not before the old password was found right, and then a moment for the account, which is held here.
      await vi.waitFor(() => expect(checked).toHaveLength(1), { timeout: 5000 })
      await vi.waitFor(async () => expect(await waitingForLocks(world)).toBe(1), { timeout: 5000 })
    })
    expect(codeOf(await signingIn)).toBe('unauthorized')
  })

  test('goes to the only workspace, to the one where the person was last, and to none when there is a choice', async () => {
    expect(await chosenIn(granted(await signIn(world.services, JANE)).secret)).toBe(acme.workspaceId)
    await signOutEverywhere(world.services, userId, { disconnect: false })
    await world.db.transaction((tx) =>
      addMember(tx, world.services, { workspaceId: other.workspaceId, role: 'member' }, userId, world.clock.now()),
    )
    const { secret } = granted(await signIn(world.services, JANE))
    expect(await chosenIn(secret)).toBeNull()
    expect(await chooseWorkspace(world.services, hashOf(secret), userId, other.workspaceId)).toBeUndefined()
    expect(await chosenIn(granted(await signIn(world.services, JANE)).secret)).toBe(other.workspaceId)
    await removeMembership(world, { userId })
    expect(await chosenIn(secret)).toBeNull()
    expect(await chosenIn(granted(await signIn(world.services, JANE)).secret)).toBeNull()
  })
})

describe('choosing a workspace', () => {
  test('is for its members, in their own sessions', async () => {
    const { secret } = granted(await signIn(world.services, JANE))
    const stranger = await createPerson(world.services, other.workspaceId, 'owner')
    expect(codeOf(await chooseWorkspace(world.services, hashOf(secret), userId, other.workspaceId))).toBe('not_found')
    expect(codeOf(await chooseWorkspace(world.services, hashOf(secret), stranger.userId, other.workspaceId))).toBe(
      'not_found',
    )
    expect(await chosenIn(secret)).toBe(acme.workspaceId)
  })
})

describe('signing out', () => {
  test('ends this session and no other', async () => {
    const [first, second] = [granted(await signIn(world.services, JANE)), granted(await signIn(world.services, JANE))]
    await signOut(world.services, hashOf(first.secret))
    await signOut(world.services, hashOf(first.secret))
    expect([await isOpen(world, first.secret), await isOpen(world, second.secret)]).toEqual([false, true])
  })

  test('everywhere ends every session of this person, and of nobody else', async () => {
    const stranger = await createPerson(world.services, acme.workspaceId, 'member')
    const sessions = [granted(await signIn(world.services, JANE)), granted(await signIn(world.services, JANE))]
    await signOutEverywhere(world.services, userId, { disconnect: false })
    for (const { secret } of sessions) expect(await isOpen(world, secret)).toBe(false)
    expect(await isOpen(world, stranger.sessionSecret)).toBe(true)
  })

  test('everywhere disconnects programs when that is wanted, and those of nobody else', async () => {
    const [first, second] = [
      await createPerson(world.services, acme.workspaceId, 'member'),
      await createPerson(world.services, acme.workspaceId, 'member'),
    ]
    const statuses = () =>
      Promise.all(
        [first, second].map(
          async ({ token }) => (await world.api('GET', '/v1/whoami', undefined, { key: token })).status,
        ),
      )
    await signOutEverywhere(world.services, first.userId, { disconnect: false })
    expect(await statuses()).toEqual([200, 200])
    await signOutEverywhere(world.services, first.userId, { disconnect: true })
    expect(await statuses()).toEqual([401, 200])
  })
})
