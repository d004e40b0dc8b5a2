import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import {
  FIRST_PASSWORD_MS,
  LINK_MS,
  LIVE_LINKS_MAX,
  OPERATOR_LINK_MS,
  SESSION_MS,
} from '../../domain/account/account.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { changePassword } from './change-password.ts'
import { forgetSessionsAndLinks } from './forget-sessions-and-links.ts'
import { makeSignInLink } from './make-sign-in-link.ts'
import type { SignedIn } from './open-session.ts'
import { atHome, forgetEverybody, granted, hashOf, isOpen, SOME_MAIL, waitingMails } from './people.suite.ts'
import { requestLink } from './request-link.ts'
import { resetPassword } from './reset-password.ts'
import { signIn } from './sign-in.ts'
import { signInByLink } from './sign-in-by-link.ts'
import { signInByProvider } from './sign-in-by-provider.ts'
import { signOut } from './sign-out.ts'
import { signOutEverywhere } from './sign-out-everywhere.ts'
import { signUpFirst } from './sign-up-first.ts'

// Hundreds of real hashes would take minutes, and what they are is tested by themselves.
vi.mock('../../kernel/passwords.ts', () => ({
  hashPassword: async (text: string) => `hash of ${text}`,
  passwordMatches: async (hashed: string | null, text: string) => hashed === `hash of ${text}`,
}))

const EMAIL = 'jane@acme.com'
const PASSWORDS = ['the planted one', 'the second one', 'the third one']

const world = useWorld({ mail: SOME_MAIL })

/** What somebody does, with or without the right to it. Numbers choose among what there has been so far. */
const STEP = fc.oneof(
  fc.record({ kind: fc.constant('sign in' as const), password: fc.constantFrom(...PASSWORDS) }),
  fc.record({ kind: fc.constant('ask' as const), purpose: fc.constantFrom('sign_in' as const, 'reset' as const) }),
  fc.record({ kind: fc.constant('operator' as const) }),
  fc.record({ kind: fc.constant('open link' as const), which: fc.nat(), present: fc.nat() }),
  fc.record({ kind: fc.constant('reset' as const), which: fc.nat(), password: fc.constantFrom(...PASSWORDS) }),
  fc.record({
    kind: fc.constant('provider' as const),
    subject: fc.constantFrom('a', 'b'),
    verified: fc.boolean(),
    present: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    which: fc.nat(),
    current: fc.constantFrom(...PASSWORDS),
    next: fc.constantFrom(...PASSWORDS),
  }),
  fc.record({ kind: fc.constant('sign out' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('sign out everywhere' as const) }),
  fc.record({ kind: fc.constant('forget' as const) }),
  fc.record({
    kind: fc.constant('wait' as const),
    ms: fc.constantFrom(1000, LINK_MS.sign_in, LINK_MS.reset, SESSION_MS - LINK_MS.reset),
  }),
)
type Step = typeof STEP extends fc.Arbitrary<infer One> ? One : never

/** One account as the rules have it, in the fewest words. */
interface Model {
  password: string | null
  confirmed: boolean
  subject: string | null
  links: Map<string, { purpose: string; mailed: boolean; expiresAt: Date }>
  sessions: Map<string, Date>
}

test('whatever is done in whatever order, a session is open exactly when the rules let it be', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
      await forgetEverybody(world)
      const planted = granted(
        await signUpFirst(atHome(world.services), {
          email: EMAIL,
          name: 'Jane',
          password: PASSWORDS[0]!,
          workspaceName: 'Acme',
        }),
      )
      const model: Model = {
        password: PASSWORDS[0]!,
        confirmed: false,
        subject: null,
        links: new Map(),
        sessions: new Map([[planted.secret, planted.expiresAt]]),
      }
      const issued = { sessions: [planted.secret], links: [`lnk_${'A'.repeat(43)}`] }
      for (const step of steps) {
        await take(step, model, issued, planted.userId)
        for (const secret of issued.sessions) {
          const expiresAt = model.sessions.get(secret)
          expect(await isOpen(world, secret), `after ${JSON.stringify(step)}`).toBe(
            expiresAt !== undefined && expiresAt > world.clock.now(),
          )
        }
        const [{ sessions } = { sessions: 0 }] = await world.db.query<{ sessions: number }>(
          sql`select count(*) as sessions from user_session where expires_at > ${world.clock.now()}`,
        )
        expect(sessions).toBe([...model.sessions.values()].filter((expiresAt) => expiresAt > world.clock.now()).length)
      }
    }),
    { numRuns: 60 },
  )
}, 120_000)

async function take(
  step: Step,
  model: Model,
  issued: { sessions: string[]; links: string[] },
  userId: Uuid,
): Promise<void> {
  const { services } = world
  const now = world.clock.now()
  const from = (list: string[], which: number) => list[which % list.length]!
  const live = (secret: string, purpose: string) => {
    const link = model.links.get(secret)
    return link !== undefined && link.purpose === purpose && link.expiresAt > now ? link : null
  }
  const entered = (answer: SignedIn | object, allowed: boolean) => {
    expect(!isRefusal(answer), `of ${JSON.stringify(step)}`).toBe(allowed)
    if (isRefusal(answer)) return
    const { secret, expiresAt } = answer as SignedIn
    issued.sessions.push(secret)
    model.sessions.set(secret, expiresAt)
  }
  const confirm = (present: string | null) => {
    const isIn = present !== null && (model.sessions.get(present) ?? now) > now
    if (isIn) model.confirmed = true
    else if (!model.confirmed)
      Object.assign(model, { password: null, confirmed: true, subject: null, links: new Map(), sessions: new Map() })
  }
  const newLink = (secret: string, purpose: string, mailed: boolean, expiresAt: Date) => {
    issued.links.push(secret)
    model.links.set(secret, { purpose, mailed, expiresAt })
  }

  switch (step.kind) {
    case 'sign in':
      return entered(
        await signIn(services, { email: EMAIL, password: step.password }),
        model.password === step.password,
      )
    case 'ask': {
      const count = [...model.links.keys()].filter((secret) => live(secret, step.purpose)).length
      const before = (await waitingMails(world)).length
      await requestLink(services, step.purpose, EMAIL)
      const mails = await waitingMails(world)
      expect(mails.length - before).toBe(count < LIVE_LINKS_MAX ? 1 : 0)
      if (mails.length > before)
        newLink(/lnk_[\w-]{43}/.exec(mails.at(-1)!.text)![0], step.purpose, true, plus(now, LINK_MS[step.purpose]))
      return
    }
    case 'operator':
      return newLink(
        granted(await makeSignInLink(services, EMAIL))
          .split('/')
          .at(-1)!,
        'reset',
        false,
        plus(now, OPERATOR_LINK_MS),
      )
    case 'open link': {
      const secret = from(issued.links, step.which)
      const link = live(secret, 'sign_in')
      const present = from(issued.sessions, step.present)
      const answer = await signInByLink(services, secret, hashOf(present))
      if (link !== null) model.links.delete(secret)
      if (link?.mailed) confirm(present)
      return entered(answer, link !== null)
    }
    case 'reset': {
      const secret = from(issued.links, step.which)
      const link = live(secret, 'reset')
      const answer = await resetPassword(services, secret, step.password)
      if (link !== null) {
        Object.assign(model, {
          password: step.password,
          confirmed: model.confirmed || link.mailed,
          subject: null,
          links: new Map(),
          sessions: new Map(),
        })
      }
      return entered(answer, link !== null)
    }
    case 'provider': {
      const profile = {
        provider: 'google',
        subject: step.subject,
        email: EMAIL,
        emailVerified: step.verified,
        name: 'Jane',
      } as const
      const present = from(issued.sessions, step.present)
      const answer = await signInByProvider(services, profile, null, hashOf(present))
      const known = model.subject === step.subject
      if (!known && step.verified) confirm(present)
      const allowed = known || (step.verified && model.subject === null)
      if (allowed) model.subject = step.subject
      return entered(answer, allowed)
    }
    case 'change': {
      const secret = from(issued.sessions, step.which)
      const signedInAt = plus(model.sessions.get(secret) ?? plus(now, SESSION_MS), -SESSION_MS)
      const mayChange =
        model.password === null ? signedInAt > plus(now, -FIRST_PASSWORD_MS) : model.password === step.current
      const allowed = mayChange && model.sessions.has(secret)
      const answer = await changePassword(services, userId, { ...step, disconnect: true }, hashOf(secret))
      expect(!isRefusal(answer)).toBe(allowed)
      if (allowed)
        Object.assign(model, {
          password: step.next,
          links: new Map(),
          sessions: new Map([[secret, model.sessions.get(secret)!]]),
        })
      return
    }
    case 'sign out': {
      const secret = from(issued.sessions, step.which)
      await signOut(services, hashOf(secret))
      model.sessions.delete(secret)
      return
    }
    case 'sign out everywhere':
      await signOutEverywhere(services, userId, { disconnect: true })
      return model.sessions.clear()
    case 'forget': {
      await forgetSessionsAndLinks(services)
      for (const [secret, expiresAt] of model.sessions) if (expiresAt <= now) model.sessions.delete(secret)
      return
    }
    case 'wait':
      await world.clock.advance(step.ms)
  }
}
