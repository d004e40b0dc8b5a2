import { expect, test } from 'vitest'
import { key, wholeNumber } from './setting-forms.ts'
import {
  describeTable,
  findMissing,
  findUnknownNames,
  givenIn,
  readTable,
  renderTable,
  type SettingsTable,
} from './settings.ts'

const TABLE = {
  DOOR: {
    meaning: 'The door.',
    form: 'whole number from 1 to 9',
    unit: 'doors',
    default: '4',
    schema: wholeNumber(1, 9),
  },
  DOOR_KEY: key('Its key.', 'the door is open'),
} satisfies SettingsTable

test('a value is what the schema makes of the text, else of the default, else there is none', () => {
  expect(readTable(TABLE, givenIn({ DOOR: ' 7 ', DOOR_KEY: 'abc', HOME: '/root' }))).toEqual({
    values: { DOOR: 7, DOOR_KEY: 'abc' },
    problems: [],
  })
  expect(readTable(TABLE, givenIn({ DOOR: '', DOOR_KEY: undefined }))).toEqual({ values: { DOOR: 4 }, problems: [] })
})

test('a problem names the setting and does not repeat the value', () => {
  expect(readTable(TABLE, givenIn({ DOOR: '17', DOOR_KEY: 'hush hush' })).problems).toEqual([
    'DOOR: must be a whole number from 1 to 9',
    'DOOR_KEY: must be 1 to 500 printable ASCII characters without blanks',
  ])
})

test('names with our prefix that nobody knows are slips', () => {
  const given = givenIn({ DOOR: '1', DOOR_KYE: 'x', HOME: '/root' })
  expect(findUnknownNames(given, 'DOOR', new Set(Object.keys(TABLE)))).toEqual([
    'DOOR_KYE: there is no setting of this name',
  ])
})

test('of what is of use only together the missing ones are named beside the first that is there', () => {
  const together = ['ID', 'SECRET', 'SIGNATURE']
  expect(findMissing(givenIn({ SECRET: 'x' }), together)).toEqual([
    'ID: is missing beside SECRET',
    'SIGNATURE: is missing beside SECRET',
  ])
  expect(findMissing(givenIn({}), together)).toEqual([])
  expect(findMissing(givenIn({ ID: 'x', SECRET: 'y', SIGNATURE: 'z' }), together)).toEqual([])
})

test('what is shown holds what counts when a name is absent, and no secret', () => {
  expect(describeTable(TABLE, { DOOR_KEY: 'abc' })).toEqual([
    { name: 'DOOR', value: '4', set: false },
    { name: 'DOOR_KEY', value: '(set, hidden)', set: true },
  ])
  expect(renderTable(TABLE).split('\n').slice(2)).toEqual([
    '| `DOOR` | The door. | whole number from 1 to 9 (doors) | 4 |',
    '| `DOOR_KEY` | Its key. | text without blanks | the door is open |',
  ])
})
