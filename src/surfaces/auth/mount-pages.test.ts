import fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { createWorld } from '../../../test/world.ts'
import { silentLog } from '../../kernel/log.ts'
import { TooManyPasswords } from '../../kernel/passwords.ts'
import { mountPages } from './mount-pages.ts'

test('a crowd at the door is asked to come back, which is no defect', async () => {
  const world = await createWorld()
  const log = { ...silentLog, error: vi.fn() }
  const server = fastify()
  mountPages(server, { services: world.services, log }, (pages) => {
    pages.get('/crowded', async () => {
      throw new TooManyPasswords()
    })
    pages.get('/broken', async () => {
      throw new Error('a defect')
    })
  })
  const crowded = await server.inject('/crowded')
  expect([crowded.statusCode, crowded.headers['retry-after'], crowded.headers['cache-control']]).toEqual([
    503,
    '5',
    'no-store',
  ])
  expect(crowded.body).toContain('Try again in a moment.')
  expect(log.error).not.toHaveBeenCalled()
  expect((await server.inject('/broken')).statusCode).toBe(500)
  expect(log.error).toHaveBeenCalledOnce()
  await server.close()
  await world.close()
})

test('programs that ask for JSON are told by code what is wrong with a link, and browsers by a page', async () => {
  const world = await createWorld()
  const ask = async (path: string, accept: string) => {
    const reply = await fetch(world.origin + path, { headers: { accept } })
    return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() }
  }
  for (const [path, status] of [
    ['/sign-up/lnk_altered', 400],
    ['/reset/lnk_altered', 400],
    ['/email/unsubscribe?token=altered', 400],
    ['/email/confirm?token=altered', 400],
    ['/invitations/altered', 404],
  ] as const) {
    const told = await ask(path, 'application/json')
    expect([path, told.status, JSON.parse(told.text).error]).toEqual([
      path,
      status,
      { code: 'invalid_token', message: expect.any(String), requestId: expect.any(String) },
    ])
    const page = await ask(path, 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect([page.status, page.type]).toEqual([status, 'text/html; charset=utf-8'])
  }
  await world.close()
})
