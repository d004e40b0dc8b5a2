import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../test/use-world.ts'
import { stored } from '../../test/world.ts'
import { toId } from '../kernel/ids.ts'
import { type Running, start } from './running.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A way to the service that can be cut: what is open breaks, and nothing new gets through until it is mended. */
async function breakableWay() {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(world.port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    mend: () => {
      isCut = false
    },
  }
}

async function arrive(keyword: TestKeyword): Promise<string> {
  const made = await mention(world, keyword)
  await score(world, [made])
  return toId('mtn', made.mentionId)
}

function follow(url: string, term: string): { tail: Running; end(): void } {
  const ending = new AbortController()
  const env = { EARSHOT_API_KEY: acme.readKey, EARSHOT_URL: url }
  const tail = start(['mentions', 'tail', '--keyword', term, '--json'], { env, signal: ending.signal })
  closing.push(async () => {
    ending.abort()
    await tail.ended
  })
  return { tail, end: () => ending.abort() }
}

const idsIn = ({ out }: Running) =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id as string)
const WITHIN = { timeout: 20_000, interval: 50 }

test('tail goes on after a cut connection, and prints each mention once', { timeout: 60_000 }, async () => {
  const [way, keyword] = [await breakableWay(), await makeKeyword(acme)]
  const { tail, end } = follow(way.url, keyword.shown.term)
  await vi.waitFor(() => expect(tail.err).toContain('Following new mentions'), WITHIN)
  const ids = [await arrive(keyword)]
  await vi.waitFor(() => expect(idsIn(tail)).toEqual(ids), WITHIN)
  way.cut()
  await vi.waitFor(() => expect(tail.err).toContain('The connection is away'), WITHIN)
  ids.push(await arrive(keyword), await arrive(keyword))
  way.mend()
  await vi.waitFor(() => expect(idsIn(tail)).toEqual(ids), WITHIN)
  ids.push(await arrive(keyword))
  await vi.waitFor(() => expect(idsIn(tail)).toEqual(ids), WITHIN)
  expect(tail.err).toContain('The connection is back.')
  end()
  expect((await tail.ended).code).toBe(0)
})

test('what comes while the first connection is away is not missed either', { timeout: 60_000 }, async () => {
  const [way, keyword] = [await breakableWay(), await makeKeyword(acme)]
  const { tail } = follow(way.url, keyword.shown.term)
  await vi.waitFor(() => expect(tail.err).toContain('Following new mentions'), WITHIN)
  way.cut()
  await vi.waitFor(() => expect(tail.err).toContain('The connection is away'), WITHIN)
  const ids = [await arrive(keyword)]
  way.mend()
  await vi.waitFor(() => expect(idsIn(tail)).toEqual(ids), WITHIN)
})

test('a keyword that is added with --tail prints its mentions, and nothing else', { timeout: 60_000 }, async () => {
  const [ending, term] = [new AbortController(), 'Quokkaboard']
  const env = { EARSHOT_API_KEY: acme.writeKey, EARSHOT_URL: world.origin }
  const tail = start(['keywords', 'add', term, '--tail', '--json'], { env, signal: ending.signal })
  closing.push(async () => {
    ending.abort()
    await tail.ended
  })
  await vi.waitFor(() => expect(tail.err).toContain('Following new mentions'), WITHIN)
  const { data } = (await acme.api('GET', `/v1/keywords?term=${term}`)).body
  expect(tail.err).toContain(`Watching ${term} (${data[0].id})\n`)
  await arrive(await makeKeyword(acme))
  const made = { uuid: stored('kw', data[0].id), workspaceId: acme.workspaceId, shown: data[0] }
  const id = await arrive(made)
  await vi.waitFor(() => expect(idsIn(tail)).toEqual([id]), WITHIN)
})
