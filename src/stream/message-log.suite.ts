import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MessageLog } from './message-log.ts'

const NAME = 'earshot-posts-bluesky'

interface Opening {
  open(keptMb: number): Promise<MessageLog>
}

/** What every driver does. */
export function testMessageLog(name: string, { open }: Opening): void {
  describe(name, () => {
    let log: MessageLog
    beforeEach(async () => {
      log = await open(1)
      await log.prepare(NAME)
    })
    afterEach(() => log.close())

    test('numbers messages from 1 on and gives them back', async () => {
      expect(await log.state(NAME)).toMatchObject({ first: 1, last: 0 })
      expect(await appended(1)).toBe(1)
      expect(await appended(2)).toBe(2)
      expect(await log.state(NAME)).toMatchObject({ first: 1, last: 2 })
      expect(textOf(await log.read(NAME, 2))).toBe('text 2')
      expect(await log.read(NAME, 3)).toBeNull()
    })

    test('stores a repeat once and answers its number', async () => {
      await appended(1)
      await appended(2)
      expect(await log.append(NAME, messageOf(1), 0)).toBe(1)
      expect(await log.append(NAME, messageOf(1), 2)).toBe(1)
      expect(await log.state(NAME)).toMatchObject({ last: 2 })
    })

    test('stores nothing behind another message than the newest', async () => {
      await appended(1)
      expect(await log.append(NAME, messageOf(2), 0)).toBeNull()
      expect(await log.append(NAME, messageOf(3), 5)).toBeNull()
      expect(await log.state(NAME)).toMatchObject({ last: 1 })
    })

    test('follows from a number on, past the present', async () => {
      for (const number of [1, 2, 3]) await appended(number)
      const ending = new AbortController()
      const read: string[] = []
      for await (const message of log.follow(NAME, 2, ending.signal)) {
        read.push(`${message.number} ${textOf(message)}`)
        if (read.length === 2) await appended(4)
        if (read.length === 3) ending.abort()
      }
      expect(read).toEqual(['2 text 2', '3 text 3', '4 text 4'])
    })

    test('ends when asked to while nothing comes', async () => {
      const ending = new AbortController()
      const messages = log.follow(NAME, 1, ending.signal)[Symbol.asyncIterator]()
      const next = messages.next()
      ending.abort()
      expect((await next).done).toBe(true)
    })

    test('serves several followers, each in order', async () => {
      const followers = [1, 2].map(() => firstOf(200))
      for (let number = 1; number <= 200; number += 1) await appended(number)
      const wanted = Array.from({ length: 200 }, (_, place) => place + 1)
      expect(await Promise.all(followers)).toEqual([wanted, wanted])
    })

    test('keeps only so much, and follows from the first message that is kept', async () => {
      for (let number = 1; number <= 5; number += 1)
        await log.append(NAME, { id: String(number), data: new Uint8Array(300_000) }, number - 1)
      const state = await log.state(NAME)
      expect(state).toMatchObject({ first: 3, last: 5 })
      expect(await log.read(NAME, 2)).toBeNull()
      const ending = new AbortController()
      for await (const { number } of log.follow(NAME, 1, ending.signal)) {
        expect(number).toBe(3)
        ending.abort()
      }
    })

    test('knows no log that nobody prepared, and leaves one alone that is there', async () => {
      expect(await log.state('earshot-posts-mastodon')).toBeNull()
      await appended(1)
      const before = await log.state(NAME)
      await log.prepare(NAME)
      expect(await log.state(NAME)).toEqual(before)
    })

    test('says what it is', async () => {
      expect(await log.describe()).not.toBe('')
    })

    const appended = (number: number) => log.append(NAME, messageOf(number), number - 1)

    async function firstOf(count: number): Promise<number[]> {
      const ending = new AbortController()
      const numbers: number[] = []
      for await (const { number } of log.follow(NAME, 1, ending.signal)) {
        numbers.push(number)
        if (numbers.length === count) ending.abort()
      }
      return numbers
    }
  })
}

function messageOf(number: number): { id: string; data: Uint8Array } {
  return { id: `message ${number}`, data: Buffer.from(`text ${number}`) }
}

function textOf(message: { data: Uint8Array } | null): string | null {
  return message && Buffer.from(message.data).toString()
}
