import { beforeAll, beforeEach, expect, test } from 'vitest'
import { changeUser } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import {
  atHome,
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
import { requestLink } from './request-link.ts'
import { resetPassword } from './reset-password.ts'
import { signIn } from './sign-in.ts'
import { type ProviderProfile, signInByProvider } from './sign-in-by-provider.ts'
import { signUpFirst } from './sign-up-first.ts'

let home: Services
let open: Services
const world = useWorld({ mail: SOME_MAIL })
const acme = useWorkspace(world, 'Acme')
beforeAll(() => {
  home = atHome(world.services)
  open = { ...home, signUp: 'open' }
})
beforeEach(() => forgetEverybody(world))

const JANE: ProviderProfile = {
  provider: 'google',
  subject: 'g-1',
  email: 'Jane@Acme.com',
  emailVerified: true,
  name: 'Jane Doe',
}
const OTHER: ProviderProfile = {
  provider: 'github',
  subject: '77',
  email: 'other@acme.com',
  emailVerified: true,
  name: 'Other',
}

/** Makes somebody with a password at an address that is confirmed, or not. */
async function first(email: string, confirmed: boolean): Promise<string> {
  const { secret } = granted(await signUpFirst(home, { email, name: 'First', password: PASSWORD, workspaceName: '-' }))
  if (!confirmed) return secret
  await requestLink(world.services, 'reset', email)
  return granted(await resetPassword(world.services, await lastSecret(world), PASSWORD)).secret
}
const accounts = () => world.db.query<{ email: string }>(sql`select email from user_account order by email`)

test('the first person of an installation owns its workspace, with a confirmed address and no password', async () => {
  const { secret, userId } = granted(await signInByProvider(home, JANE, null))
  expect(await listWorkspacesOf(world.db, userId)).toEqual([{ id: acme.workspaceId, name: 'Acme', role: 'owner' }])
  expect(await world.db.query(sql`select email, name, password_hash, email_confirmed_at from user_account`)).toEqual([
    { email: 'Jane@Acme.com', name: 'Jane Doe', password_hash: null, email_confirmed_at: world.clock.now() },
  ])
  expect(await isOpen(world, secret)).toBe(true)
  for (const password of ['', PASSWORD])
    expect(codeOf(await signIn(world.services, { email: 'jane@acme.com', password }))).toBe('unauthorized')
})

test('where strangers can come first a provider makes nobody the owner of what is there', async () => {
  const anywhere = world.services
  expect(codeOf(await signInByProvider(anywhere, JANE, null))).toBe('forbidden')
  expect(await accounts()).toEqual([])
  const { userId } = granted(await signInByProvider({ ...anywhere, signUp: 'open' }, JANE, null))
  expect(await listWorkspacesOf(world.db, userId)).toEqual([])
})

test('the first person gets what they were invited to, and nothing else', async () => {
  const other = await world.workspace('Younger')
  const token = await invite(world, other.workspaceId, 'jane@acme.com', { role: 'member' })
  const { userId } = granted(await signInByProvider(home, JANE, token))
  expect(await listWorkspacesOf(world.db, userId)).toMatchObject([{ name: 'Younger', role: 'member' }])
})

test('of several who are first at once one is, by whichever way', async () => {
  const answers = await Promise.all([
    signInByProvider(home, JANE, null),
    signInByProvider(home, OTHER, null),
    signUpFirst(home, { email: 'third@acme.com', name: 'Third', password: PASSWORD, workspaceName: '-' }),
  ])
  expect(answers.map(codeOf).sort()).toEqual(['forbidden', 'forbidden', 'granted'])
  expect(await accounts()).toHaveLength(1)
})

test('who is known signs in to the same account, whatever became of the address', async () => {
  const before = granted(await signInByProvider(home, JANE, null))
  const again = granted(await signInByProvider(home, { ...JANE, email: null, emailVerified: false, name: '' }, null))
  expect(again.userId).toBe(before.userId)
  expect(again.secret).not.toBe(before.secret)
  expect(granted(await signInByProvider(home, { ...JANE, email: 'other@acme.com' }, null)).userId).toBe(before.userId)
  expect(await accounts()).toEqual([{ email: 'Jane@Acme.com' }])
})

test('the same person twice at once has one account', async () => {
  await first('owner@acme.com', true)
  const answers = await Promise.all([1, 2, 3].map(() => signInByProvider(open, JANE, null)))
  expect(new Set(answers.map((answer) => granted(answer).userId)).size).toBe(1)
  expect(await accounts()).toHaveLength(2)
})

test('a verified address leads into its confirmed account, and nothing of that is lost', async () => {
  const session = await first('jane@acme.com', true)
  const { userId } = granted(await signInByProvider(home, JANE, null))
  expect(await isOpen(world, session)).toBe(true)
  expect(granted(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD })).userId).toBe(userId)
  expect(granted(await signInByProvider(home, { ...JANE, email: null }, null)).userId).toBe(userId)
})

test('an account that was never confirmed loses password and sessions to the owner of the address', async () => {
  const planted = await first('jane@acme.com', false)
  const { secret, lostPassword } = granted(await signInByProvider(home, JANE, null))
  expect([await isOpen(world, planted), await isOpen(world, secret), lostPassword]).toEqual([false, true, true])
  expect(codeOf(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))).toBe('unauthorized')
  expect(granted(await signInByProvider(home, JANE, null)).lostPassword).toBe(false)
})

test('an account that was never confirmed keeps everything when its owner comes with a session of it', async () => {
  const session = await first('jane@acme.com', false)
  const stranger = granted(await signInByProvider(open, OTHER, null))
  const { secret, lostPassword } = granted(await signInByProvider(home, JANE, null, hashOf(session)))
  expect([await isOpen(world, session), await isOpen(world, secret), lostPassword]).toEqual([true, true, false])
  granted(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))
  await changeUser(world, {}, { emailConfirmedAt: null })
  await world.db.query(sql`delete from user_identity where provider = 'google'`)
  expect(granted(await signInByProvider(home, JANE, null, hashOf(stranger.secret))).lostPassword).toBe(true)
})

test.each([{ emailVerified: false }, { email: null }, { email: 'nonsense' }])(
  'with %j nobody gets into an account or has one made',
  async (weak) => {
    await first('jane@acme.com', true)
    expect(codeOf(await signInByProvider(home, { ...JANE, ...weak }, null))).toBe('forbidden')
    expect(codeOf(await signInByProvider(open, { ...JANE, ...weak }, null))).toBe('forbidden')
    expect(await accounts()).toEqual([{ email: 'jane@acme.com' }])
    expect(await world.db.query(sql`select 1 from user_identity`)).toEqual([])
  },
)

test('not even the first person is let in with an address that the provider does not vouch for', async () => {
  expect(codeOf(await signInByProvider(home, { ...JANE, emailVerified: false }, null))).toBe('forbidden')
  expect(await accounts()).toEqual([])
})

test('an address that the provider has handed on does not lead into the account of who had it', async () => {
  granted(await signInByProvider(home, JANE, null))
  expect(codeOf(await signInByProvider(home, { ...JANE, subject: 'g-2' }, null))).toBe('forbidden')
  granted(await signInByProvider(home, { ...JANE, provider: 'github', subject: 'g-2' }, null))
})

test('the subject of one provider is nobody at another', async () => {
  granted(await signInByProvider(home, JANE, null))
  expect(codeOf(await signInByProvider(home, { ...OTHER, subject: 'g-1' }, null))).toBe('forbidden')
})

test('somebody new needs an invitation, or sign-up that is open', async () => {
  await first('owner@acme.com', true)
  expect(codeOf(await signInByProvider(home, JANE, null))).toBe('forbidden')
  expect(await accounts()).toHaveLength(1)
  const { userId } = granted(await signInByProvider(open, JANE, null))
  expect(await listWorkspacesOf(world.db, userId)).toEqual([])
})

test('an invitation makes an account for its own address, in its workspace, once', async () => {
  await first('owner@acme.com', true)
  const token = await invite(world, acme.workspaceId, 'JANE@acme.com', { role: 'admin' })
  expect(codeOf(await signInByProvider(home, OTHER, token))).toBe('forbidden')
  const { userId } = granted(await signInByProvider(home, JANE, token))
  expect(await listWorkspacesOf(world.db, userId)).toMatchObject([{ role: 'admin' }])
  expect(codeOf(await signInByProvider(home, OTHER, token))).toBe('invalid_token')
  expect(codeOf(await signInByProvider(home, OTHER, 'nonsense'))).toBe('invalid_token')
  expect(await accounts()).toHaveLength(2)
})

test('an invitation that is dead does not keep out who is known or may come anyway', async () => {
  const { userId } = granted(await signInByProvider(home, JANE, 'nonsense'))
  expect(granted(await signInByProvider(home, JANE, 'nonsense')).userId).toBe(userId)
  granted(await signInByProvider(open, OTHER, 'nonsense'))
})

test('where sign-up is open the invitation of another address is not used', async () => {
  await first('owner@acme.com', true)
  const token = await invite(world, acme.workspaceId, 'jane@acme.com')
  const { userId } = granted(await signInByProvider(open, OTHER, token))
  expect(await listWorkspacesOf(world.db, userId)).toEqual([])
  granted(await signInByProvider(home, JANE, token))
})

test('whatever a provider calls somebody, the account has a name that a person could have typed', async () => {
  const { userId } = granted(await signInByProvider(home, { ...JANE, name: `\u202e${'x'.repeat(500)}` }, null))
  expect(await world.db.query(sql`select name from user_account where id = ${userId}`)).toEqual([{ name: 'jane' }])
})
