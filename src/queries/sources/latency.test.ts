import { expect, test } from 'vitest'
import { makeKeyword, mention, type TestKeyword } from '../../../test/mentions.ts'
import { changeKeyword, makeDelivery } from '../../../test/rows.ts'
import { ready, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { createChannel } from '../../commands/channels/create-channel.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, HOUR_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { readLatencies } from './latency.ts'

const world = useWorld(() => ({ sources: scriptedSources(ready(createTape().source)) }))
const acme = useFreshWorkspace(world, 'Acme')

const read = async (samplesMax?: number) => Object.fromEntries(await readLatencies(acme, samplesMax))

/** A keyword that has collected for a day. */
async function oldKeyword(): Promise<TestKeyword> {
  const keyword = await makeKeyword(acme)
  await changeKeyword(world, keyword.uuid, { createdAt: plus(world.clock.now(), -DAY_MS) })
  return keyword
}

/** A mention of a post that was published some seconds before. */
async function found(keyword: TestKeyword, secondsAfter: number, platform: Platform = 'x') {
  const publishedAt = plus(world.clock.now(), -secondsAfter * SECOND_MS)
  return (await mention(world, keyword, { platform, publishedAt })).mentionId
}

async function makeChannel(): Promise<Uuid> {
  const channel = await createChannel(acme, { kind: 'webhook', url: 'https://receiver.example/hook' })
  if (isRefusal(channel)) throw new Error(channel.message)
  return stored('dest', channel.id)
}

test('a workspace without mentions has no latency', async () => {
  await oldKeyword()
  expect(await read()).toEqual({})
})

test('half and 95 % of the times from post to mention are told for each platform', async () => {
  const keyword = await oldKeyword()
  for (let seconds = 1; seconds <= 20; seconds += 1) await found(keyword, seconds)
  await found(keyword, 90, 'reddit')
  expect(await read()).toEqual({
    x: { postToMention: { medianSeconds: 10, p95Seconds: 19, count: 20 }, mentionToDelivery: null },
    reddit: { postToMention: { medianSeconds: 90, p95Seconds: 90, count: 1 }, mentionToDelivery: null },
  })
})

test('mentions of more than an hour ago and posts from before their keyword collected do not count', async () => {
  const keyword = await oldKeyword()
  await found(keyword, 5)
  await world.clock.advance(SECOND_MS)
  await found(keyword, 7)
  await found(keyword, 2 * DAY_MS)
  await world.clock.advance(HOUR_MS)
  expect((await read())['x']?.postToMention).toEqual({ medianSeconds: 7, p95Seconds: 7, count: 1 })
})

test('a post that a platform dates in the future took no time', async () => {
  await found(await oldKeyword(), -30)
  expect((await read())['x']?.postToMention).toEqual({ medianSeconds: 0, p95Seconds: 0, count: 1 })
})

test('delivery is timed from the mention to the acceptance, for deliveries of mentions that arrived', async () => {
  const storedAt = world.clock.now()
  const channelId = await makeChannel()
  const mentionId = await found(await oldKeyword(), 3)
  const send = (options: object) =>
    makeDelivery(world, acme.workspaceId, channelId, {
      ...{ kind: 'mention', event: 'mention.matched', status: 'delivered', mentionId, at: storedAt },
      ...options,
    })
  await send({ sentAt: plus(storedAt, 2 * SECOND_MS) })
  await send({ status: 'pending' })
  await send({ kind: 'event', mentionId: null, sentAt: plus(storedAt, 99 * SECOND_MS) })
  expect((await read())['x']?.mentionToDelivery).toEqual({ medianSeconds: 2, p95Seconds: 2, count: 1 })
})

test('only the newest are looked at', async () => {
  const keyword = await oldKeyword()
  for (const seconds of [60, 50, 4, 2]) await found(keyword, seconds)
  expect((await read(2))['x']?.postToMention).toEqual({ medianSeconds: 2, p95Seconds: 4, count: 2 })
})

test('the operation answers the latencies of the caller’s workspace alone', async () => {
  await found(await oldKeyword(), 8, 'bluesky')
  const latencyFor = async (workspace: typeof acme) => {
    const { body } = await workspace.api('GET', '/v1/sources')
    return body.data.find(({ platform }: { platform: string }) => platform === 'bluesky')?.latency
  }
  const nothing = { postToMention: null, mentionToDelivery: null }
  expect(await latencyFor(acme)).toEqual({ ...nothing, postToMention: { medianSeconds: 8, p95Seconds: 8, count: 1 } })
  expect(await latencyFor(await world.workspace('Other'))).toEqual(nothing)
})
