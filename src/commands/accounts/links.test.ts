import { beforeEach, describe, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { changeSessions, changeUser } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { LINK_MS, LIVE_LINKS_MAX, OPERATOR_LINK_MS } from '../../domain/account/account.ts'
import { sql } from '../../store/database.ts'
import { inviteMember } from '../members/invite-member.ts'
import { makeSignInLink } from './make-sign-in-link.ts'
import { peekLink } from './peek-link.ts'
import {
  atHome,
  codeOf,
  forgetEverybody,
  granted,
  hashOf,
  isOpen,
  lastSecret,
  PASSWORD,
  SOME_MAIL,
  statementsOf,
  userIdOf,
  waitingMails,
} from './people.suite.ts'
import { requestLink } from './request-link.ts'
import { resetPassword } from './reset-password.ts'
import { signIn } from './sign-in.ts'
import { signInByLink } from './sign-in-by-link.ts'
import { signInByProvider } from './sign-in-by-provider.ts'
import { signUpFirst } from './sign-up-first.ts'

let jane: Person
const world = useWorld({ mail: SOME_MAIL })
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await forgetEverybody(world)
  jane = await createPerson(world.services, acme.workspaceId, 'owner')
})

async function mailed(purpose: 'sign_in' | 'reset', email = jane.email): Promise<string> {
  expect(await requestLink(world.services, purpose, email)).toBeUndefined()
  return lastSecret(world)
}
const whoami = (token: string) => world.api('GET', '/v1/whoami', undefined, { key: token })
const NEXT = 'another good password'
const GUEST = { email: 'guest@acme.com', role: 'member' } as const
const operatorsSecret = async (email: string) =>
  granted(await makeSignInLink(world.services, email))
    .split('/')
    .at(-1)!
const confirmed = async () =>
  (
    await world.db.query<{ email: string }>(
      sql`select email from user_account where email_confirmed_at is not null order by email`,
    )
  ).map(({ email }) => email)

describe('asking for a link', () => {
  test('mails it to the address of the account, as the account spells it', async () => {
    await changeUser(world, {}, { email: 'Jane@Acme.com' })
    const secret = await mailed('sign_in', ' JANE@acme.com ')
    expect(await waitingMails(world)).toEqual([
      {
        to: 'Jane@Acme.com',
        subject: expect.any(String),
        text: expect.stringContaining(`https://earshot.test/sign-in/link/${secret}`),
      },
    ])
    expect((await waitingMails(world))[0]!.text).not.toContain('/reset/')
    expect((await mailed('reset', 'jane@acme.com')) && (await waitingMails(world))[1]!.text).toContain(
      'https://earshot.test/reset/lnk_',
    )
  })

  test('answers the same for an address without account, and leaves nothing behind', async () => {
    expect(await requestLink(world.services, 'sign_in', 'nobody@acme.com')).toBeUndefined()
    expect(await waitingMails(world)).toEqual([])
    expect(await world.db.query(sql`select 1 from email_link`)).toEqual([])
  })

  test('does as much for an address without account as for one with', async () => {
    const counted = (email: string) => statementsOf(world, (services) => requestLink(services, 'reset', email))
    expect(await counted('nobody@acme.com')).toBe(await counted(jane.email))
  })

  test('sends so many that work, and no more until one is over', async () => {
    await Promise.all(
      Array.from({ length: LIVE_LINKS_MAX + 3 }, () => requestLink(world.services, 'reset', jane.email)),
    )
    expect(await waitingMails(world)).toHaveLength(LIVE_LINKS_MAX)
    await mailed('sign_in')
    expect(await waitingMails(world)).toHaveLength(LIVE_LINKS_MAX + 1)
    await world.clock.advance(LINK_MS.reset)
    await mailed('reset')
    expect(await waitingMails(world)).toHaveLength(LIVE_LINKS_MAX + 2)
  })

  test('says so where no mail is sent, to everybody', async () => {
    for (const email of [jane.email, 'nobody@acme.com', 'nonsense'])
      expect(codeOf(await requestLink({ ...world.services, mail: null }, 'sign_in', email))).toBe(
        'email_transport_unavailable',
      )
    expect(codeOf(await requestLink(world.services, 'sign_in', 'nonsense'))).toBe('validation_error')
  })
})

describe('a link', () => {
  test('is looked at as often as one likes, and opens once', async () => {
    const secret = await mailed('sign_in')
    for (const _ of [1, 2])
      expect(await peekLink(world.db, secret, 'sign_in', world.clock.now())).toMatchObject({ email: jane.email })
    expect(await isOpen(world, granted(await signInByLink(world.services, secret)).secret)).toBe(true)
    expect(await peekLink(world.db, secret, 'sign_in', world.clock.now())).toBeNull()
    expect(codeOf(await signInByLink(world.services, secret))).toBe('invalid_token')
  })

  test('opens once for several at once', async () => {
    const secret = await mailed('sign_in')
    const answers = await Promise.all([1, 2, 3, 4].map(() => signInByLink(world.services, secret)))
    expect(answers.map(codeOf).filter((code) => code === 'granted')).toHaveLength(1)
  })

  test('sets one of two passwords at once', async () => {
    const secret = await mailed('reset')
    const passwords = [NEXT, `${NEXT} too`]
    const answers = await Promise.all(passwords.map((password) => resetPassword(world.services, secret, password)))
    expect(answers.map(codeOf).sort()).toEqual(['granted', 'invalid_token'])
    const signedIn = await Promise.all(
      passwords.map((password) => signIn(world.services, { email: jane.email, password })),
    )
    expect(signedIn.map(codeOf)).toEqual(
      answers.map(codeOf).map((code) => (code === 'granted' ? 'granted' : 'unauthorized')),
    )
  })

  test.each(['sign_in', 'reset'] as const)('to %s is over when its time is', async (purpose) => {
    const secret = await mailed(purpose)
    await world.clock.advance(LINK_MS[purpose] - 1)
    expect(await peekLink(world.db, secret, purpose, world.clock.now())).not.toBeNull()
    await world.clock.advance(1)
    expect(await peekLink(world.db, secret, purpose, world.clock.now())).toBeNull()
    const used =
      purpose === 'sign_in'
        ? await signInByLink(world.services, secret)
        : await resetPassword(world.services, secret, NEXT)
    expect(codeOf(used)).toBe('invalid_token')
  })

  test('is good for its purpose only', async () => {
    expect(codeOf(await signInByLink(world.services, await mailed('reset')))).toBe('invalid_token')
    expect(codeOf(await resetPassword(world.services, await mailed('sign_in'), NEXT))).toBe('invalid_token')
  })

  test.each(['', 'lnk_', `lnk_${'A'.repeat(43)}`, `ses_${'A'.repeat(43)}`, `lnk_${'A'.repeat(43)}' or true`])(
    '%j is none',
    async (secret) => {
      expect(await peekLink(world.db, secret, 'sign_in', world.clock.now())).toBeNull()
      expect(codeOf(await signInByLink(world.services, secret))).toBe('invalid_token')
      expect(codeOf(await resetPassword(world.services, secret, NEXT))).toBe('invalid_token')
    },
  )
})

describe('a new password', () => {
  test('ends every session, every other link and whatever programs were allowed', async () => {
    const [secret, another, signInLink] = [await mailed('reset'), await mailed('reset'), await mailed('sign_in')]
    expect((await whoami(jane.token)).status).toBe(200)
    const signedIn = granted(await resetPassword(world.services, secret, NEXT))
    expect(await isOpen(world, jane.sessionSecret)).toBe(false)
    expect(await isOpen(world, signedIn.secret)).toBe(true)
    expect(codeOf(await resetPassword(world.services, another, NEXT))).toBe('invalid_token')
    expect(codeOf(await signInByLink(world.services, signInLink))).toBe('invalid_token')
    expect((await whoami(jane.token)).status).toBe(401)
    granted(await signIn(world.services, { email: jane.email, password: NEXT }))
  })

  test('ends what providers say too: who was linked to the account gets in by the address alone', async () => {
    const google = {
      provider: 'google',
      subject: 'g-1',
      email: 'elsewhere@evil.example',
      emailVerified: true,
      name: 'Jane',
    } as const
    await world.db.query(
      sql`insert into user_identity (provider, subject, user_id, created_at)
          values ('google', 'g-1', ${jane.userId}, ${world.clock.now()})`,
    )
    expect(granted(await signInByProvider(world.services, google, null)).userId).toBe(jane.userId)
    granted(await resetPassword(world.services, await mailed('reset'), NEXT))
    expect(codeOf(await signInByProvider(world.services, google, null))).toBe('forbidden')
    expect(granted(await signInByProvider(world.services, { ...google, email: jane.email }, null)).userId).toBe(
      jane.userId,
    )
    granted(await signIn(world.services, { email: jane.email, password: NEXT }))
  })

  test('leaves others alone', async () => {
    const joe = await createPerson(world.services, acme.workspaceId, 'member')
    granted(await resetPassword(world.services, await mailed('reset'), NEXT))
    expect(await isOpen(world, joe.sessionSecret)).toBe(true)
    expect((await whoami(joe.token)).status).toBe(200)
  })

  test('that will not do costs neither the link nor anything else', async () => {
    const secret = await mailed('reset')
    expect(codeOf(await resetPassword(world.services, secret, jane.email))).toBe('validation_error')
    expect(await isOpen(world, jane.sessionSecret)).toBe(true)
    granted(await resetPassword(world.services, secret, NEXT))
  })

  test('leaves no session behind that the old one opens at the same moment', async () => {
    granted(await resetPassword(world.services, await mailed('reset'), PASSWORD))
    const secret = await mailed('reset')
    const old = Array.from({ length: 6 }, () => signIn(world.services, { email: jane.email, password: PASSWORD }))
    const [reset, ...others] = await Promise.all([resetPassword(world.services, secret, NEXT), ...old])
    expect(await isOpen(world, granted(reset).secret)).toBe(true)
    for (const other of others)
      if (codeOf(other) === 'granted') expect(await isOpen(world, granted(other).secret)).toBe(false)
    expect(await world.db.query(sql`select 1 from user_session`)).toHaveLength(1)
  })
})

describe('an account that somebody made for the address of somebody else', () => {
  const VICTIM = 'victim@acme.com'
  let planted: string
  beforeEach(async () => {
    await forgetEverybody(world)
    planted = granted(
      await signUpFirst(atHome(world.services), {
        email: VICTIM,
        name: 'Mallory',
        password: PASSWORD,
        workspaceName: '-',
      }),
    ).secret
  })

  test('opens no longer by what they know once the owner of the address has come by a mailed link, and says so', async () => {
    const operators = await operatorsSecret(VICTIM)
    const link = await mailed('sign_in', VICTIM)
    expect(await peekLink(world.db, link, 'sign_in', world.clock.now())).toMatchObject({ endsPassword: true })
    expect(granted(await signInByLink(world.services, link))).toMatchObject({ lostPassword: true })
    expect(await isOpen(world, planted)).toBe(false)
    expect(codeOf(await signIn(world.services, { email: VICTIM, password: PASSWORD }))).toBe('unauthorized')
    expect(codeOf(await resetPassword(world.services, operators, NEXT))).toBe('invalid_token')
  })

  test('opens no longer by what they know once the person has come by a link of the operator', async () => {
    granted(await resetPassword(world.services, await operatorsSecret(VICTIM), NEXT))
    expect(await isOpen(world, planted)).toBe(false)
    expect(codeOf(await signIn(world.services, { email: VICTIM, password: PASSWORD }))).toBe('unauthorized')
    granted(await signIn(world.services, { email: VICTIM, password: NEXT }))
  })

  test('withdraws the invitations by which they would let others in, and the mails of them that have not left', async () => {
    const userId = await userIdOf(world, VICTIM)
    const invited = async (email: string) =>
      granted(await inviteMember({ ...acme, ...world.services }, userId, { email, role: 'admin' }))
    await invited('accomplice@evil.example')
    granted(
      await inviteMember(
        { ...acme, ...world.services },
        (await createPerson(world.services, acme.workspaceId, 'admin')).userId,
        GUEST,
      ),
    )
    granted(await resetPassword(world.services, await operatorsSecret(VICTIM), NEXT))
    expect(await world.db.query(sql`select email from invitation`)).toEqual([{ email: GUEST.email }])
    const invitations = (await waitingMails(world)).filter(({ subject }) => subject.startsWith('You are invited'))
    expect(invitations.map(({ to }) => to)).toEqual([GUEST.email])
  })

  test('keeps everything when the link is used in a browser that is signed in to it already', async () => {
    const elsewhere = granted(await signIn(world.services, { email: VICTIM, password: PASSWORD }))
    const signedIn = granted(await signInByLink(world.services, await mailed('sign_in', VICTIM), hashOf(planted)))
    expect(signedIn.lostPassword).toBe(false)
    expect([await isOpen(world, planted), await isOpen(world, elsewhere.secret)]).toEqual([true, true])
    granted(await signIn(world.services, { email: VICTIM, password: PASSWORD }))
    expect(await confirmed()).toEqual([VICTIM])
  })

  test.each([
    ['of another account', async () => (await createPerson(world.services, acme.workspaceId, 'member')).sessionSecret],
    [
      'that is over',
      async () => {
        await changeSessions(world, {}, { expiresAt: world.clock.now() })
        return planted
      },
    ],
  ])('keeps nothing for a session %s', async (_, secret) => {
    expect(
      granted(await signInByLink(world.services, await mailed('sign_in', VICTIM), hashOf(await secret()))).lostPassword,
    ).toBe(true)
    expect(codeOf(await signIn(world.services, { email: VICTIM, password: PASSWORD }))).toBe('unauthorized')
  })

  test('loses the program that they allowed, and their identity, with a new password', async () => {
    const userId = await userIdOf(world, VICTIM)
    await world.db.query(
      sql`insert into user_identity (provider, subject, user_id, created_at)
          values ('google', 'mallory', ${userId}, ${world.clock.now()})`,
    )
    granted(await resetPassword(world.services, await mailed('reset', VICTIM), NEXT))
    expect(await isOpen(world, planted)).toBe(false)
    const mallory = {
      provider: 'google',
      subject: 'mallory',
      email: 'mallory@evil.example',
      emailVerified: true,
      name: 'Mallory',
    } as const
    expect(codeOf(await signInByProvider(world.services, mallory, null))).toBe('forbidden')
  })

  test('keeps the password of an owner who has confirmed the address before', async () => {
    granted(await resetPassword(world.services, await mailed('reset', VICTIM), NEXT))
    granted(await signInByLink(world.services, await mailed('sign_in', VICTIM)))
    granted(await signIn(world.services, { email: VICTIM, password: NEXT }))
  })
})

describe("an operator's link", () => {
  test('lets somebody choose a password without the old one, once, within an hour, also where no mail is sent', async () => {
    const url = granted(await makeSignInLink({ ...world.services, mail: null }, jane.email.toUpperCase()))
    expect(url).toMatch(/^https:\/\/earshot\.test\/reset\/lnk_[\w-]{43}$/)
    const secret = url.split('/').at(-1)!
    await world.clock.advance(OPERATOR_LINK_MS - 1)
    expect(await isOpen(world, granted(await resetPassword(world.services, secret, NEXT)).secret)).toBe(true)
    expect(codeOf(await resetPassword(world.services, secret, NEXT))).toBe('invalid_token')
    const late = await operatorsSecret(jane.email)
    await world.clock.advance(OPERATOR_LINK_MS)
    expect(codeOf(await resetPassword(world.services, late, NEXT))).toBe('invalid_token')
  })

  test('shows nothing about the address, so that it confirms none, and unsays nothing that was shown', async () => {
    await changeUser(world, {}, { emailConfirmedAt: null })
    granted(await resetPassword(world.services, await operatorsSecret(jane.email), NEXT))
    expect(await confirmed()).toEqual([])
    granted(await resetPassword(world.services, await mailed('reset'), NEXT))
    granted(await resetPassword(world.services, await operatorsSecret(jane.email), NEXT))
    expect(await confirmed()).toEqual([jane.email])
  })

  test('for signing in would confirm none either', async () => {
    await changeUser(world, {}, { emailConfirmedAt: null })
    const secret = await mailed('sign_in')
    await world.db.query(sql`update email_link set mailed = false`)
    expect(await peekLink(world.db, secret, 'sign_in', world.clock.now())).toMatchObject({ endsPassword: false })
    granted(await signInByLink(world.services, secret))
    expect([await confirmed(), await isOpen(world, jane.sessionSecret)]).toEqual([[], true])
  })

  test('is made for those who have an account', async () => {
    expect(codeOf(await makeSignInLink(world.services, 'nobody@acme.com'))).toBe('not_found')
    expect(codeOf(await makeSignInLink(world.services, 'nonsense'))).toBe('validation_error')
  })
})
