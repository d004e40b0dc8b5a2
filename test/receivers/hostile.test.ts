import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AT, SAMPLE } from '../../src/channels/conformance.suite.ts'
import type { SendResult } from '../../src/channels/contract.ts'
import { newWebhookSecret } from '../../src/channels/webhook/config.ts'
import { createWebhookSender } from '../../src/channels/webhook/sender.ts'
import { isRefusal } from '../../src/domain/refusal/refusal.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createEgress, type Egress } from '../../src/kernel/egress.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { NO_INSPECTIONS } from '../stand-ins/inspections.ts'
import { eventually } from '../stand-ins/pipeline.ts'

// A receiver that misbehaves in every way that its makers could think of. It is no part of this project: without it
// this is skipped.
const RECEIVER = fileURLToPath(new URL('../../../shared/vendors/hostile-receiver.mjs', import.meta.url))

/** What the receiver asks of a request before it answers; it comes without this file. */
const VERIFY = `
import { createHmac } from 'node:crypto'
export function verify(raw, headers, secret) {
  const errors = []
  const timestamp = headers['x-mentions-timestamp']
  const hex = (text) => createHmac('sha256', secret).update(text).update(raw).digest('hex')
  if (headers['x-mentions-signature-v2'] !== 'v2=' + hex(timestamp + '.')) errors.push('v2')
  if (headers['x-mentions-signature'] !== hex('')) errors.push('legacy')
  const key = Buffer.from(secret.slice(6), 'base64')
  const standard = createHmac('sha256', key).update(headers['webhook-id'] + '.' + headers['webhook-timestamp'] + '.').update(raw).digest('base64')
  if (headers['webhook-signature'] !== 'v1,' + standard) errors.push('standard')
  return errors
}
`

const LIMIT_MS = 1500
const secret = newWebhookSecret()

describe.skipIf(!existsSync(RECEIVER))('a hostile receiver', () => {
  let folder: string
  let port: number
  let child: ChildProcess
  let egress: Egress
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'earshot-hostile-'))
    copyFileSync(RECEIVER, join(folder, 'receiver.mjs'))
    writeFileSync(join(folder, 'verify.mjs'), VERIFY)
    port = await freePort()
    child = spawn(
      process.execPath,
      [join(folder, 'receiver.mjs'), String(port), `--secret=${secret}`, `--log=${join(folder, 'log')}`],
      { stdio: 'ignore' },
    )
    egress = createEgress({ allow: ['127.0.0.1'], connectionsPerOrigin: 64 })
    await eventually(() => expect(logged().filter((line) => 'listening' in line)).toHaveLength(2), { withinMs: 30_000 })
  })
  afterAll(async () => {
    child.kill()
    await egress.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const logged = (): Record<string, unknown>[] => {
    const text = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : ''
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  const send = (path: string): Promise<SendResult> => {
    const sender = createWebhookSender({
      egress,
      inspections: NO_INSPECTIONS,
      clock: systemClock,
      userAgent: 'earshot (test)',
      limitMs: LIMIT_MS,
    })
    const config = sender.readConfig({ url: `http://127.0.0.1:${port}${path}`, headers: {}, secret })
    if (isRefusal(config)) throw new Error(config.message)
    return sender.send(sender.render(SAMPLE, config, AT), new AbortController().signal)
  }

  test.each([
    ...['/ok', '/204', '/201', '/set-cookie', '/half', '/slow-body', '/64mb', '/endless', '/gzip-bomb'].map(
      (path) => [path, 'delivered'] as const,
    ),
    ...[301, 302, 303, 307, 308].map((code) => [`/redirect?code=${code}`, 'permanent'] as const),
    ...['/redirect-loop', '/401', '/410', '/nothing-here', '/status?code=400'].map(
      (path) => [path, 'permanent'] as const,
    ),
    ...['/never', '/slow-headers', '/big-header', '/garbage', '/reset', '/at-9s'].map(
      (path) => [path, 'temporary'] as const,
    ),
    ...['/status', '/status?code=408', '/status?code=429&retry=banana', '/status?code=503&retry=-1'].map(
      (path) => [path, 'temporary'] as const,
    ),
  ])('%s is %s, within the limit', async (path, outcome) => {
    const result = await send(path)
    expect(result).toMatchObject({ outcome })
    expect(Buffer.byteLength(result.replyExcerpt ?? '')).toBeLessThanOrEqual(2048)
    expect(result.durationMs).toBeLessThan(LIMIT_MS + 10_000)
  })

  test('does not fill the memory, whatever it pours', async () => {
    await send('/endless')
    const before = process.memoryUsage()
    const paths = ['/endless', '/64mb', '/gzip-bomb', '/many-1xx']
    for (let round = 0; round < 5; round += 1)
      await Promise.all(Array.from({ length: 40 }, (_, number) => send(paths[number % paths.length]!)))
    const after = process.memoryUsage()
    // Taken whole, one round alone would have been more than three gigabytes.
    expect((after.rss - before.rss) / 2 ** 20).toBeLessThan(200)
    expect((after.arrayBuffers - before.arrayBuffers) / 2 ** 20).toBeLessThan(64)
  })

  test('has got nothing but well-signed requests, and has led nobody to the address inside', () => {
    const requests = logged().filter((line) => 'method' in line)
    expect(requests.length).toBeGreaterThan(100)
    for (const { method, errors, leak } of requests) expect([method, errors, leak]).toEqual(['POST', [], []])
    expect(logged().filter((line) => 'CANARY_HIT' in line)).toEqual([])
  })
})
