import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { credentialFor } from '../../test/people.ts'
import { sampleRequest } from '../../test/requests.ts'
import { placed, ready, scriptedSources } from '../../test/stand-ins/sources.ts'
import { useWorkspace, useWorld } from '../../test/use-world.ts'
import { DAY_MS, MINUTE_MS } from '../kernel/clock.ts'
import { CATALOGUE } from './catalogue.ts'

const world = useWorld(() => ({ sources: scriptedSources(ready(placed('feeds'))) }))
const acme = useWorkspace(world, 'Acme')
// No limit of a minute is to stand in the way of the next question.
beforeEach(() => world.clock.advance(MINUTE_MS))

const noIds = () => Promise.reject(new Error('nothing that is created needs an id'))

/** A page of the payment provider's is opened only where there is one; the operation has a test of its own. */
const CREATING = CATALOGUE.filter(
  ({ id, method, status }) => method === 'POST' && status === 201 && id !== 'create-top-up',
)

test('there are operations that create', () => {
  expect(CREATING.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['create-group', 'create-api-key', 'create-channel', 'invite-member']),
  )
})

/** Samples of addresses lead nowhere. */
const ADDRESSES: Readonly<Record<string, object>> = {
  'create-channel': { url: 'https://receiver.example/hook' },
  'create-named-source': { platform: 'feeds', address: 'https://blog.example/feed' },
}
const OTHERS: Readonly<Record<string, string>> = {
  email: 'other@people.example',
  url: 'https://other.example/hook',
  address: 'https://other.example/feed',
}

describe.each(CREATING)('$id', (operation) => {
  test('the same request again makes nothing more and has the first answer, secrets included, and another is refused', async () => {
    const { path, body } = await sampleRequest(operation, noIds)
    const key = await credentialFor(acme, operation)
    const address = ADDRESSES[operation.id] ?? {}
    const marked = { ...(body as object), ...address, requestId: randomUUID() }
    const send = (more: object = {}) => acme.api('POST', path, { ...marked, ...more }, { key })
    const first = await send()
    expect(first.status, JSON.stringify(first.body)).toBe(201)
    const again = await send()
    expect([again.status, again.body]).toEqual([201, first.body])

    const [field] = Object.entries(marked).find(
      ([name, value]) =>
        ['name', 'term', 'email', 'label', 'url', 'address'].includes(name) && typeof value === 'string',
    )!
    const other = OTHERS[field] ?? 'Other'
    expect((await send({ [field]: other })).body.error).toMatchObject({ code: 'request_conflict' })

    await world.clock.advance(DAY_MS)
    expect((await send()).body).not.toEqual(first.body)
  })
})

test('a secret that is shown once is shown again to who repeats the request, and works', async () => {
  const key = await credentialFor(acme, CATALOGUE.find(({ id }) => id === 'create-api-key')!)
  const body = { name: 'Lost', scope: 'read', requestId: randomUUID() }
  const first = await acme.api('POST', '/v1/api-keys', body, { key })
  const again = await acme.api('POST', '/v1/api-keys', body, { key })
  expect(again.body.key).toBe(first.body.key)
  expect((await acme.api('GET', '/v1/whoami', undefined, { key: again.body.key })).body.auth.apiKeyId).toBe(
    first.body.id,
  )
  const listed = (await acme.api('GET', '/v1/api-keys', undefined, { key })).body.data.filter(
    ({ name }: { name: string }) => name === 'Lost',
  )
  expect(listed).toHaveLength(1)
})
