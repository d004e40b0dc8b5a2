import { beforeEach, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { LINK_MS, LIVE_LINKS_MAX } from '../../domain/account/account.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { sql } from '../../store/database.ts'
import { completeSignUp } from './complete-sign-up.ts'
import { peekLink } from './peek-link.ts'
import {
  atHome,
  codeOf,
  forgetEverybody,
  granted,
  invite,
  isOpen,
  lastSecret,
  PASSWORD,
  SOME_MAIL,
  statementsOf,
  waitingMails,
} from './people.suite.ts'
import { requestLink } from './request-link.ts'
import { requestSignUp } from './request-sign-up.ts'
import { signIn } from './sign-in.ts'
import { signUpInvited } from './sign-up-invited.ts'

const world = useWorld({ mail: SOME_MAIL, signUp: 'open' })
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await forgetEverybody(world)
  await createPerson(world.services, acme.workspaceId, 'owner')
})

const NEW = { name: 'Jane', password: PASSWORD }

async function asked(email: string): Promise<string> {
  expect(await requestSignUp(world.services, email)).toBeUndefined()
  return lastSecret(world)
}

async function accountOf(email: string): Promise<unknown> {
  const [row] = await world.db.query(
    sql`select email, name, email_confirmed_at from user_account where email_folded = ${email}`,
  )
  return row
}

test('somebody who opens the link that was mailed makes an account with a confirmed address and no workspace', async () => {
  const secret = await asked(' Jane@Acme.com')
  expect((await waitingMails(world)).map(({ to }) => to)).toEqual(['Jane@Acme.com'])
  expect(await peekLink(world.db, secret, 'sign_up', world.clock.now())).toMatchObject({ email: 'Jane@Acme.com' })
  const signedIn = granted(await completeSignUp(world.services, secret, NEW))
  expect(await accountOf('jane@acme.com')).toEqual({
    email: 'Jane@Acme.com',
    name: 'Jane',
    email_confirmed_at: world.clock.now(),
  })
  expect(await listWorkspacesOf(world.db, signedIn.userId)).toEqual([])
  expect(await isOpen(world, signedIn.secret)).toBe(true)
  granted(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))
})

test('a link makes one account, also when it is used twice at once, and the others of that address end with it', async () => {
  const [earlier, secret] = [await asked('jane@acme.com'), await asked('JANE@acme.com')]
  const answers = await Promise.all([1, 2, 3].map(() => completeSignUp(world.services, secret, NEW)))
  expect(answers.map(codeOf).sort()).toEqual(['granted', 'invalid_token', 'invalid_token'])
  expect(codeOf(await completeSignUp(world.services, earlier, NEW))).toBe('invalid_token')
})

test('two links of one address used at once make one account', async () => {
  const secrets = [await asked('jane@acme.com'), await asked('jane@acme.com')]
  const answers = await Promise.all(secrets.map((secret) => completeSignUp(world.services, secret, NEW)))
  expect(answers.map(codeOf).filter((code) => code === 'granted')).toHaveLength(1)
  expect(await world.db.query(sql`select 1 from user_account where email_folded = 'jane@acme.com'`)).toHaveLength(1)
})

test('a password that will not do does not use the link up', async () => {
  const secret = await asked('jane@acme.com')
  expect(codeOf(await completeSignUp(world.services, secret, { ...NEW, password: 'jane@acme.com' }))).toBe(
    'validation_error',
  )
  granted(await completeSignUp(world.services, secret, NEW))
})

test('a link ends after a day', async () => {
  const secret = await asked('jane@acme.com')
  await world.clock.advance(LINK_MS.sign_up)
  expect(codeOf(await completeSignUp(world.services, secret, NEW))).toBe('invalid_token')
  expect(await accountOf('jane@acme.com')).toBeUndefined()
})

test('a link for something else makes no account', async () => {
  granted(await completeSignUp(world.services, await asked('jane@acme.com'), NEW))
  granted(await requestLink(world.services, 'reset', 'jane@acme.com'))
  expect(codeOf(await completeSignUp(world.services, await lastSecret(world), NEW))).toBe('invalid_token')
})

test('who has an account is told so by mail, with no link that makes or opens one, and whoever asked learns nothing', async () => {
  granted(await completeSignUp(world.services, await asked('jane@acme.com'), NEW))
  expect(await requestSignUp(world.services, 'Jane@ACME.com')).toBe(
    await requestSignUp(world.services, 'nobody@acme.com'),
  )
  const told = (await waitingMails(world)).at(-2)!
  expect(told).toMatchObject({ to: 'jane@acme.com', text: expect.stringContaining('https://earshot.test/sign-in\n') })
  expect(told.text).not.toContain('lnk_')
})

test('whether there is an account shows in no number of statements', async () => {
  granted(await completeSignUp(world.services, await asked('jane@acme.com'), NEW))
  const counted = (email: string) => statementsOf(world, (services) => requestSignUp(services, email))
  expect(await counted('jane@acme.com')).toBe(await counted('nobody@acme.com'))
})

test('a mailbox gets so many mails and no more, however it is spelled and whether or not it has an account', async () => {
  await Promise.all(
    Array.from({ length: LIVE_LINKS_MAX + 5 }, (_, at) =>
      requestSignUp(world.services, ['jane@acme.com', 'JANE@acme.com', `jane+${at}@acme.com`][at % 3]!),
    ),
  )
  expect(await waitingMails(world)).toHaveLength(LIVE_LINKS_MAX)
  await world.clock.advance(LINK_MS.sign_up)
  granted(await completeSignUp(world.services, await asked('jane@acme.com'), NEW))
  for (let at = 0; at < LIVE_LINKS_MAX + 5; at += 1) await requestSignUp(world.services, 'jane@acme.com')
  expect(await waitingMails(world)).toHaveLength(2 * LIVE_LINKS_MAX + 1)
})

test('an account that was made while the mail was on its way is not overwritten', async () => {
  const secret = await asked('jane@acme.com')
  const token = await invite(world, acme.workspaceId, 'jane@acme.com')
  granted(await signUpInvited(world.services, token, NEW))
  expect(codeOf(await completeSignUp(world.services, secret, { name: 'Joe', password: 'another password' }))).toBe(
    'conflict',
  )
  expect(await accountOf('jane@acme.com')).toMatchObject({ name: 'Jane' })
  granted(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))
})

test('sign-up by mail is for installations where it is open and somebody is there already', async () => {
  const secret = await asked('jane@acme.com')
  const closed = { ...world.services, signUp: 'invited' as const }
  expect(codeOf(await requestSignUp(closed, 'jane@acme.com'))).toBe('forbidden')
  expect(codeOf(await completeSignUp(closed, secret, NEW))).toBe('forbidden')
  expect(codeOf(await requestSignUp({ ...world.services, mail: null }, 'jane@acme.com'))).toBe(
    'email_transport_unavailable',
  )
  expect(codeOf(await requestSignUp(world.services, 'jane'))).toBe('validation_error')
  await forgetEverybody(world)
  expect(codeOf(await requestSignUp(atHome(world.services), 'jane@acme.com'))).toBe('forbidden')
})

test('where strangers can come first they sign up by mail like anybody, and own nothing of what is there', async () => {
  await forgetEverybody(world)
  const { userId } = granted(await completeSignUp(world.services, await asked('jane@acme.com'), NEW))
  expect(await listWorkspacesOf(world.db, userId)).toEqual([])
})
