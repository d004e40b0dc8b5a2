import { describe, expect, test } from 'vitest'
import { INTENTS } from '../mention/classification.ts'
import { PRESET_EVENTS, PRESETS, type Preset, presetOf } from './presets.ts'

describe.each(PRESET_EVENTS)('%s', (event) => {
  const preset: Preset = PRESETS[event]
  const rule = { event, mode: preset.mode, filter: preset.filter }

  test('is known by its event, mode and filter, also with muted authors', () => {
    expect(presetOf(rule)).toBe(event)
    expect(presetOf({ ...rule, filter: { ...rule.filter, excludeAuthors: ['jane'] } })).toBe(event)
  })

  test('is a rule like any other with another event, mode or condition', () => {
    expect(presetOf({ ...rule, event: `${event}.mine` })).toBeNull()
    for (const other of PRESET_EVENTS.filter((item) => item !== event))
      expect(presetOf({ ...rule, event: other })).toBeNull()
    expect(presetOf({ ...rule, mode: 'hourly' })).toBeNull()
    expect(presetOf({ ...rule, filter: { ...rule.filter, minLikes: 1 } })).toBeNull()
    if (Object.keys(rule.filter).length > 0) expect(presetOf({ ...rule, filter: {} })).toBeNull()
  })
})

test('names that every object has are no presets', () => {
  for (const event of ['constructor', '__proto__', 'tostring', 'hasOwnProperty'])
    expect(presetOf({ event, mode: 'instant', filter: {} })).toBeNull()
})

test('an event of an intent asks for the intent of that name', () => {
  const asking = PRESET_EVENTS.flatMap((event) => {
    const { filter }: Preset = PRESETS[event]
    return filter.intents === undefined ? [] : [[event, filter.intents]]
  })
  expect(asking).toHaveLength(7)
  for (const [event, intents] of asking) {
    expect([`mention.${String(intents)}`, INTENTS.includes(String(intents) as never)]).toEqual([event, true])
  }
})
