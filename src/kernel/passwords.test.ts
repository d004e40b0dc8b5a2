import { parseOptions } from '@node-rs/argon2'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  hashPassword,
  NOBODYS,
  PASSWORDS_AT_ONCE,
  passwordMatches,
  TooManyPasswords,
  WAITING_PASSWORDS_MAX,
} from './passwords.ts'

const { at } = vi.hoisted(() => ({ at: { work: 0, most: 0, verified: 0 } }))
vi.mock('@node-rs/argon2', async (load) => {
  const actual = await load<typeof import('@node-rs/argon2')>()
  async function watched<Result>(work: () => Promise<Result>): Promise<Result> {
    at.work += 1
    at.most = Math.max(at.most, at.work)
    try {
      return await work()
    } finally {
      at.work -= 1
    }
  }
  return {
    ...actual,
    hash: (...given: Parameters<typeof actual.hash>) => watched(() => actual.hash(...given)),
    verify: (...given: Parameters<typeof actual.verify>) => {
      at.verified += 1
      return watched(() => actual.verify(...given))
    },
  }
})
beforeEach(() => Object.assign(at, { work: 0, most: 0, verified: 0 }))

test('a password matches its own hash only, and no two hashes are alike', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(first).not.toBe(second)
  expect(await passwordMatches(first, 'correct horse')).toBe(true)
  expect(await passwordMatches(first, 'correct horse ')).toBe(false)
  expect(await passwordMatches(first, '')).toBe(false)
})

test('hashes are Argon2id of the cost that OWASP asks for', async () => {
  expect(await hashPassword('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a letter is the same however a keyboard composes it', async () => {
  expect(await passwordMatches(await hashPassword('caf\u00e9 au lait'), 'cafe\u0301 au lait')).toBe(true)
})

test('without a hash the answer is no, after one check of the very same cost', async () => {
  expect(await passwordMatches(null, 'correct horse')).toBe(false)
  expect(at.verified).toBe(1)
  const { salt: _, ...cost } = { salt: null, ...parseOptions(await hashPassword('correct horse')) }
  expect(parseOptions(NOBODYS)).toEqual(cost)
})

test('of many at once a few are computed, and all come to their end', async () => {
  const hashed = await hashPassword('correct horse')
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, place) => passwordMatches(place % 2 === 0 ? hashed : null, 'correct horse')),
  )
  expect(answers).toEqual(Array.from({ length: 20 }, (_, place) => place % 2 === 0))
  expect(at.most).toBe(PASSWORDS_AT_ONCE)
})

test('of a crowd those beyond the ones that wait are sent away at once, and there is room again afterwards', async () => {
  // What is no hash costs no time, but waits like any other.
  const crowd = Promise.allSettled(
    Array.from({ length: PASSWORDS_AT_ONCE + WAITING_PASSWORDS_MAX }, () =>
      passwordMatches('nonsense', 'correct horse'),
    ),
  )
  const late = [passwordMatches(null, 'correct horse'), hashPassword('correct horse')]
  for (const refused of late) await expect(refused).rejects.toThrow(TooManyPasswords)
  expect(
    (await crowd).filter(
      ({ status, reason }: { status: string; reason?: unknown }) =>
        status !== 'rejected' || reason instanceof TooManyPasswords,
    ),
  ).toEqual([])
  expect(at.verified).toBe(PASSWORDS_AT_ONCE + WAITING_PASSWORDS_MAX)
  expect(await passwordMatches(await hashPassword('correct horse'), 'correct horse')).toBe(true)
})

test('what is no hash is an error, and holds nobody up', async () => {
  const broken = Array.from({ length: 2 * PASSWORDS_AT_ONCE }, () => passwordMatches('nonsense', 'correct horse'))
  expect((await Promise.allSettled(broken)).every(({ status }) => status === 'rejected')).toBe(true)
  expect(await passwordMatches(await hashPassword('correct horse'), 'correct horse')).toBe(true)
})
