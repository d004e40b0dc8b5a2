import { expect, test } from 'vitest'
import { KEY_ACTIONS, KEYS } from './key-table.ts'
import { dispatcher, keyIn, type Pressed } from './keys.ts'

function pressed(key: string, more: Partial<Pressed> = {}): Pressed {
  return { key, code: '', ctrlKey: false, metaKey: false, altKey: false, isComposing: false, ...more }
}

test('no key means two things', () => {
  const all = KEY_ACTIONS.flatMap((action) => [...KEYS[action].keys])
  expect(new Set(all).size).toBe(all.length)
})

test('no key that acts by itself begins another', () => {
  const all = KEY_ACTIONS.flatMap((action): string[] => [...KEYS[action].keys])
  const prefixes = all.flatMap((keys) => (/^[^M]\S* /.test(keys) ? [keys.split(' ')[0]] : []))
  expect(all.filter((keys) => prefixes.includes(keys))).toEqual([])
})

test('the newest layer that handles an action does it, until it is taken away', () => {
  const done: string[] = []
  const removeLower = dispatcher.add({ done: () => done.push('lower'), ignore: () => done.push('lower ignore') })
  const removeUpper = dispatcher.add({ done: () => done.push('upper') })
  expect(dispatcher.press(pressed('e'), 0)).toBe(true)
  expect(dispatcher.press(pressed('i'), 0)).toBe(true)
  removeUpper()
  dispatcher.press(pressed('e'), 0)
  removeLower()
  expect(dispatcher.press(pressed('e'), 0)).toBe(false)
  expect(done).toEqual(['upper', 'lower ignore', 'lower'])
})

test('two keys in time are one, and a late second is by itself', () => {
  const done: string[] = []
  const remove = dispatcher.add({ goInbox: () => done.push('inbox'), ignore: () => done.push('ignore') })
  dispatcher.press(pressed('g'), 0)
  dispatcher.press(pressed('i'), 1000)
  dispatcher.press(pressed('g'), 2000)
  dispatcher.press(pressed('i'), 4000)
  remove()
  expect(done).toEqual(['inbox', 'ignore'])
})

test('nothing happens while text is composed or Alt is held', () => {
  const done: string[] = []
  const remove = dispatcher.add({ done: () => done.push('done') })
  expect(dispatcher.press(pressed('e', { isComposing: true }), 0)).toBe(false)
  expect(dispatcher.press(pressed('e', { altKey: true }), 0)).toBe(false)
  remove()
  expect(done).toEqual([])
})

test.each([
  ['у', 'KeyE', 'e'],
  ['e', 'KeyD', 'e'],
  ['ё', 'Backquote', 'ё'],
  ['é', 'Digit2', 'é'],
  ['?', 'Slash', '?'],
])('%s at %s is %s', (key, code, expected) => {
  expect(keyIn(pressed(key, { code }))).toBe(expected)
})
