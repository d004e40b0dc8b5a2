import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NatsServer, NO_NATS, startNats } from '../../../test/stand-ins/nats-server.ts'
import { SourceFault } from '../../sources/contract.ts'
import { testMessageLog } from '../message-log.suite.ts'
import { postStreamSettingsOf } from '../settings.ts'
import { NatsLog } from './nats-log.ts'

const NAME = 'earshot-posts-bluesky'

describe.skipIf(NO_NATS)('with a NATS server (skipped without nats-server)', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.close())

  testMessageLog('streams of NATS', {
    async open(keptMb) {
      await server.close()
      server = await startNats()
      return openLog(keptMb)
    },
  })

  test('a broken connection fails what runs, and the next call makes another', async () => {
    const log = openLog(1)
    await log.prepare(NAME)
    const following = log.follow(NAME, 1, new AbortController().signal)[Symbol.asyncIterator]().next()
    await log.append(NAME, { id: 'before', data: Buffer.from('before') }, (await log.state(NAME))!.last)
    await following
    const last = (await log.state(NAME))!.last
    const rest = log
      .follow(NAME, last + 1, new AbortController().signal)
      [Symbol.asyncIterator]()
      .next()
    const broken = expect(rest).rejects.toThrow(SourceFault)
    await log.read(NAME, last)
    await server.kill()
    await broken
    await expect(log.state(NAME)).rejects.toMatchObject({ kind: 'stream' })
    await server.begin()
    expect(await log.state(NAME)).toMatchObject({ last })
    await log.close()
  })

  test('how much is kept follows the settings', async () => {
    const before = openLog(1)
    await before.prepare(NAME)
    await before.close()
    const log = openLog(2)
    await log.prepare(NAME)
    const size = 600_000
    const { last } = (await log.state(NAME))!
    for (let number = 1; number <= 3; number += 1)
      await log.append(NAME, { id: `big ${number}`, data: new Uint8Array(size) }, last + number - 1)
    expect((await log.state(NAME))!.bytes).toBeGreaterThan(3 * size)
    await log.close()
  })

  function openLog(keptMb: number): NatsLog {
    const settings = { POST_STREAM_URL: server.url, POST_STREAM_KEPT_HOURS: 1, POST_STREAM_KEPT_MB: keptMb }
    return new NatsLog(postStreamSettingsOf(settings)!)
  }
})
