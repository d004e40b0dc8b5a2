import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newUuid } from './ids.ts'
import { actAs, originOfWork, withOrigin } from './origin.ts'

const SERVICE = { agent: { kind: 'service' }, address: null, requestId: null }
const originAt = (address: string) => ({ agent: { kind: 'service' as const }, address, requestId: `req-${address}` })

test('work without an origin is the own work of the service, and naming somebody changes nothing', () => {
  actAs({ kind: 'operator' })
  expect(originOfWork()).toEqual(SERVICE)
})

test('what runs beside each other keeps apart where it comes from and who is acting', async () => {
  const ids = [newUuid(new Date()), newUuid(new Date())]
  const seen = await Promise.all(
    ids.map((id, at) =>
      withOrigin(originAt(`192.0.2.${at}`), async () => {
        await wait(1)
        actAs({ kind: 'api_key', id })
        await wait(1)
        return originOfWork()
      }),
    ),
  )
  expect(seen).toEqual(
    ids.map((id, at) => ({ agent: { kind: 'api_key', id }, address: `192.0.2.${at}`, requestId: `req-192.0.2.${at}` })),
  )
  expect(originOfWork()).toEqual(SERVICE)
})
