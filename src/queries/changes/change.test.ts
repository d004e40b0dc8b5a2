import { expect, test } from 'vitest'
import { type Change, eventsOf } from './change.ts'

const change = (id: string | null, about: Record<string, unknown> = {}): Change => ({
  kind: 'delivery.changed',
  id,
  about,
  at: new Date(0),
  key: null,
})

test('changes that differ in their ids only are one event, with each id once', () => {
  const [one, two] = [{ status: 'failed' }, { status: 'delivered' }]
  expect(eventsOf([change('a', one), change('b', two), change('c', one), change('a', one), change(null, one)])).toEqual(
    [
      { kind: 'delivery.changed', data: { ids: ['a', 'c'], status: 'failed' } },
      { kind: 'delivery.changed', data: { ids: ['b'], status: 'delivered' } },
      { kind: 'delivery.changed', data: { ids: null, status: 'failed' } },
    ],
  )
})

test('an event has at most a hundred ids', () => {
  const ids = Array.from({ length: 201 }, (_, at) => `id ${at}`)
  const events = eventsOf(ids.map((id) => change(id)))
  expect(events.map(({ data }) => data.ids?.length)).toEqual([100, 100, 1])
  expect(events.flatMap(({ data }) => data.ids)).toEqual(ids)
})
