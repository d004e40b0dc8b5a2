import { beforeEach, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { OPERATOR_LINK_MS } from '../../domain/account/account.ts'
import { sql } from '../../store/database.ts'
import { makeSignInLink } from './make-sign-in-link.ts'
import { atHome, codeOf, forgetEverybody, granted, isOpen, PASSWORD } from './people.suite.ts'
import { resetPassword } from './reset-password.ts'
import { signIn } from './sign-in.ts'
import { signInByLink } from './sign-in-by-link.ts'
import { signUpFirst } from './sign-up-first.ts'

let before: string
const world = useWorld()
beforeEach(async () => {
  await forgetEverybody(world)
  before = granted(
    await signUpFirst(atHome(world.services), {
      email: 'Jane@Acme.com',
      name: 'Jane',
      password: PASSWORD,
      workspaceName: 'Acme',
    }),
  ).secret
})

const ANOTHER = 'a fox behind the shed'

async function linkFor(email: string): Promise<string> {
  const link = granted(await makeSignInLink(world.services, email))
  expect(link).toMatch(/^https:\/\/earshot\.test\/reset\/lnk_[\w-]{43}$/)
  return link.split('/').at(-1)!
}

test('who has forgotten the password sets another by the link, once, and is signed in there alone', async () => {
  const secret = await linkFor(' JANE@acme.com ')
  const after = granted(await resetPassword(world.services, secret, ANOTHER))
  expect([await isOpen(world, after.secret), await isOpen(world, before)]).toEqual([true, false])
  granted(await signIn(world.services, { email: 'jane@acme.com', password: ANOTHER }))
  expect(codeOf(await signIn(world.services, { email: 'jane@acme.com', password: PASSWORD }))).toBe('unauthorized')
  expect(codeOf(await resetPassword(world.services, secret, PASSWORD))).toBe('invalid_token')
})

test('it does not show that the address is theirs, because nothing was mailed there', async () => {
  granted(await resetPassword(world.services, await linkFor('jane@acme.com'), ANOTHER))
  expect(await world.db.query(sql`select email_confirmed_at from user_account`)).toEqual([{ email_confirmed_at: null }])
})

test('it is no link for signing in without a password, and is over after an hour', async () => {
  const secret = await linkFor('jane@acme.com')
  expect(codeOf(await signInByLink(world.services, secret))).toBe('invalid_token')
  await world.clock.advance(OPERATOR_LINK_MS)
  expect(codeOf(await resetPassword(world.services, secret, ANOTHER))).toBe('invalid_token')
})

test('there is none for an address without account, nor for what is no address', async () => {
  expect(codeOf(await makeSignInLink(world.services, 'nobody@acme.com'))).toBe('not_found')
  expect(codeOf(await makeSignInLink(world.services, 'nonsense'))).toBe('validation_error')
})
