import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { everything } from '../../test/everything.ts'
import { credentialFor } from '../../test/people.ts'
import { idPlacesOf, sampleRequest } from '../../test/requests.ts'
import { useWorld } from '../../test/use-world.ts'
import type { TestWorkspace } from '../../test/world.ts'
import { MINUTE_MS } from '../kernel/clock.ts'
import { type IdPrefix, newId } from '../kernel/ids.ts'
import { sql } from '../store/database.ts'
import { CATALOGUE } from './catalogue.ts'

let alpha: TestWorkspace
let bravo: TestWorkspace
const world = useWorld()
// No limit of a minute, or of a workspace, is to stand in the way of the next question.
beforeEach(async () => {
  await world.clock.advance(MINUTE_MS)
  await world.db.query(sql`
    delete from channel c where not exists (select from alert_channel a where a.workspace_id = c.workspace_id
      and a.channel_id = c.id)
      and not exists (select from delivery d where d.workspace_id = c.workspace_id and d.channel_id = c.id)`)
})

const PLACES = CATALOGUE.flatMap((operation) =>
  idPlacesOf(operation).map((place) => ({
    operation,
    place,
    name: `${operation.id}, ${place.part} ${place.path.join('.')}`,
  })),
)

test('the places that take ids are found', () => {
  expect(PLACES.map(({ name }) => name)).toContain('delete-group, params id')
})

/** Any write may say that what the workspace has does not allow it. */
const STATES = ['conflict']

describe.each(PLACES)('$name', ({ operation, place }) => {
  // Of some things a workspace has few at most.
  beforeAll(async () => {
    alpha = await world.workspace('Alpha')
    bravo = await world.workspace('Bravo')
  })

  test('an id of another workspace is not there, and nothing changes', async () => {
    const id = await make(bravo, place.prefix)
    const request = await sampleRequest(operation, (prefix) => make(alpha, prefix), { ...place, id })
    const key = await credentialFor(alpha, operation)
    const before = await everything(world)
    const answer = await alpha.api(request.method, request.path, request.body, { key })
    expect(await everything(world)).toEqual(before)

    const told = `${JSON.stringify(request)} was answered ${answer.status} ${JSON.stringify(answer.body)}`
    if (place.part === 'query' && answer.status === 200) {
      // A filter by something foreign finds nothing; it must not find anything of its owner.
      expect(JSON.stringify(answer.body), told).not.toContain(id)
      return
    }
    if (place.part === 'body' && answer.status === 200 && place.path.length > 1) {
      // Of a list of things the foreign one is left out and said to be missing, and so is what names it.
      const missing =
        answer.body.skipped ??
        answer.body.data.map((outcome: { error: { code: string } }) => ({ id, code: outcome.error.code }))
      expect(missing, told).toEqual([{ id, code: 'not_found' }])
      return
    }
    const refusals = place.part === 'params' ? ['not_found'] : ['not_found', ...operation.errors, ...STATES]
    expect(refusals, told).toContain(answer.body?.error?.code)
    if (place.part === 'params') expect(answer.status, told).toBe(404)
  })

  if (operation.access === 'link') {
    test('the id alone opens nothing, not even to its owner', async () => {
      const id = await make(bravo, place.prefix)
      // What stands in place of the secret part of the address is made up.
      const { method, path } = await sampleRequest(operation, (prefix) => make(bravo, prefix), { ...place, id })
      for (const key of [bravo.writeKey, null]) {
        const guessed = await bravo.api(method, path, undefined, { key })
        expect([guessed.status, guessed.body?.error?.code], path).toEqual([404, 'not_found'])
        const bare = await bravo.api(method, path.split('?')[0]!, undefined, { key })
        expect(['not_found', 'validation_error'], JSON.stringify(bare.body)).toContain(bare.body?.error?.code)
      }
    })
  } else {
    test('its owner is not told that it is missing', async () => {
      const id = await make(bravo, place.prefix)
      const request = await sampleRequest(operation, (prefix) => make(bravo, prefix), { ...place, id })
      const answer = await bravo.api(request.method, request.path, request.body, {
        key: await credentialFor(bravo, operation),
      })
      expect(answer.body?.error?.code, JSON.stringify(answer.body)).not.toBe('not_found')
      expect(
        answer.body?.error?.code,
        `${JSON.stringify(request)}: give the body of ${operation.id} an example: ${JSON.stringify(answer.body)}`,
      ).not.toBe('validation_error')
    })
  }

  if (place.part === 'params') {
    test('an id that is none of its kind is not found', async () => {
      const request = await sampleRequest(operation, (prefix) => make(alpha, prefix), { ...place, id: 'PLACE' })
      const key = await credentialFor(alpha, operation)
      for (const unknown of [
        newId(place.prefix, world.clock.now()),
        newId('req', world.clock.now()),
        'nonsense',
        'x'.repeat(2000),
        '%zz',
      ]) {
        const { status, body } = await alpha.api(request.method, request.path.replace('PLACE', unknown), request.body, {
          key,
        })
        expect([status, body?.error?.code], unknown).toEqual([404, 'not_found'])
      }
    })
  }
})

async function make(workspace: TestWorkspace, prefix: IdPrefix): Promise<string> {
  const id = await workspace.makeOne(prefix)
  if (id === null)
    throw new Error(
      `an operation takes ids that start with ${prefix}_; teach makersFor in test/makers.ts to make such a thing`,
    )
  return id
}
