import { beforeEach, expect, test, vi } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { findSessionPerson } from '../../queries/accounts/find-session-person.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { readBeginning } from '../../queries/accounts/read-beginning.ts'
import { sql } from '../../store/database.ts'
import { createWorkspace } from '../workspaces/create-workspace.ts'
import { createOwnWorkspace } from './create-own-workspace.ts'
import { atHome, codeOf, forgetEverybody, granted, hashOf, PASSWORD, waitingForLocks } from './people.suite.ts'
import { signIn } from './sign-in.ts'
import { signUpFirst } from './sign-up-first.ts'

const world = useWorld()
beforeEach(async () => {
  await forgetEverybody(world)
  await world.db.query(sql`delete from workspace`)
})

const beginning = () => readBeginning(world.db, false)

const JANE = { email: 'Jane@Acme.com', name: 'Jane', password: PASSWORD, workspaceName: 'Acme' }

test('the first person owns a workspace of their own where there was none, and is signed in to it', async () => {
  expect(await beginning()).toBe('first_come')
  const { secret, userId } = granted(await signUpFirst(world.services, JANE))
  expect(await beginning()).toBe('over')
  const [workspace, ...others] = await listWorkspacesOf(world.db, userId)
  expect([workspace, others]).toEqual([{ id: expect.any(String), name: 'Acme', role: 'owner' }, []])
  expect(await findSessionPerson(world.db, hashOf(secret), world.clock.now())).toEqual({
    user: { id: userId, email: 'Jane@Acme.com', name: 'Jane', language: null },
    workspaceId: workspace!.id,
    hasPassword: true,
    lastSeenAt: world.clock.now(),
    signedInAt: world.clock.now(),
  })
  expect(await world.db.query(sql`select kind from ledger_entry where workspace_id = ${workspace!.id}`)).toEqual([
    { kind: 'signup_credit' },
  ])
  granted(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))
})

test('a workspace that the command line made is theirs instead, the oldest, and no second credit comes with another', async () => {
  const oldest = await createWorkspace(world.services, 'Oldest')
  await world.clock.advance(1000)
  await createWorkspace(world.services, 'Younger')
  const { userId } = granted(await signUpFirst(atHome(world.services), JANE))
  expect(await listWorkspacesOf(world.db, userId)).toEqual([{ id: oldest, name: 'Oldest', role: 'owner' }])
  const { workspaceId } = granted(await createOwnWorkspace(world.services, userId, 'Third'))
  expect(
    await world.db.query(sql`select balance_units, welcome_limits from workspace where id = ${workspaceId}`),
  ).toEqual([{ balance_units: 0, welcome_limits: true }])
  expect(await world.db.query(sql`select kind from ledger_entry where workspace_id = ${workspaceId}`)).toEqual([])
})

test('where strangers can come first they take over nothing: with workspaces there, the operator invites', async () => {
  await createWorkspace(world.services, 'Oldest')
  expect(await beginning()).toBe('by_operator')
  expect(codeOf(await signUpFirst(world.services, JANE))).toBe('forbidden')
  expect(await world.db.query(sql`select 1 from user_account`)).toEqual([])
  expect(await world.db.query(sql`select 1 from membership`)).toEqual([])
})

test('a workspace that is made while the first person signs up at a public address is not theirs', async () => {
  const signingUp: ReturnType<typeof signUpFirst>[] = []
  await world.db.transaction(async (tx) => {
    await tx.query(sql`lock table user_account in share row exclusive mode`)
    signingUp.push(signUpFirst(world.services, JANE))
    await vi.waitFor(async () => expect(await waitingForLocks(world)).toBe(1), { timeout: 5000 })
    await createWorkspace(world.services, 'Made meanwhile')
  })
  const { userId } = granted((await Promise.all(signingUp))[0]!)
  expect((await listWorkspacesOf(world.db, userId)).map(({ name }) => name)).toEqual(['Acme'])
})

test('their address is not confirmed, because nothing was mailed to it', async () => {
  granted(await signUpFirst(world.services, JANE))
  expect(await world.db.query(sql`select email_confirmed_at from user_account`)).toEqual([{ email_confirmed_at: null }])
})

test('nobody is first after them', async () => {
  granted(await signUpFirst(world.services, JANE))
  expect(codeOf(await signUpFirst(world.services, { ...JANE, email: 'mallory@evil.example' }))).toBe('forbidden')
  expect(codeOf(await signUpFirst(world.services, JANE))).toBe('forbidden')
})

test('of several at once one is first, and one workspace has an owner', async () => {
  await createWorkspace(world.services, 'Oldest')
  const answers = await Promise.all(
    ['a', 'b', 'c', 'a'].map((name) => signUpFirst(atHome(world.services), { ...JANE, email: `${name}@acme.com` })),
  )
  expect(answers.map(codeOf).sort()).toEqual(['forbidden', 'forbidden', 'forbidden', 'granted'])
  expect(await world.db.query(sql`select 1 from user_account`)).toHaveLength(1)
  expect(await world.db.query(sql`select role from membership`)).toEqual([{ role: 'owner' }])
  expect(await world.db.query(sql`select name from workspace`)).toEqual([{ name: 'Oldest' }])
})

test('somebody who looks while another has not finished is not first as well', async () => {
  const signingUp: ReturnType<typeof signUpFirst>[] = []
  await world.db.transaction(async (tx) => {
    // Both get as far as they can without writing an account.
    await tx.query(sql`lock table user_account in share row exclusive mode`)
    for (const name of ['a', 'b']) signingUp.push(signUpFirst(world.services, { ...JANE, email: `${name}@acme.com` }))
    await vi.waitFor(async () => expect(await waitingForLocks(world)).toBe(2), { timeout: 5000 })
  })
  expect((await Promise.all(signingUp)).map(codeOf).sort()).toEqual(['forbidden', 'granted'])
  expect(await world.db.query(sql`select 1 from user_account`)).toHaveLength(1)
})

test.each([{ email: 'jane' }, { name: ' ' }, { password: 'short' }, { workspaceName: ' ' }])(
  'nothing is made of %j',
  async (wrong) => {
    expect(codeOf(await signUpFirst(world.services, { ...JANE, ...wrong }))).toBe('validation_error')
    expect(await beginning()).toBe('first_come')
    expect(await world.db.query(sql`select 1 from workspace`)).toEqual([])
  },
)
