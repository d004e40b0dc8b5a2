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
  expect([crowded.statusCode, crowded.headers['retry-after'], crowded.headers['cache-control']]).toEqual([503, '5', 'no-store'])
  expect(crowded.body).toContain('Try again in a moment.')
  expect(log.error).not.toHaveBeenCalled()
  expect((await server.inject('/broken')).statusCode).toBe(500)
  expect(log.error).toHaveBeenCalledOnce()
  await server.close()
  await world.close()
})
