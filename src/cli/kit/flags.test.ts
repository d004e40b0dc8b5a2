import { Command } from 'commander'
import { expect, test } from 'vitest'
import { listMentionsOperation } from '../../operations/mentions/list-mentions.ts'
import { addFlags, flagName, inputOf } from './flags.ts'
import { flagsOf, WITH_FLAGS } from './operation-flags.ts'

const NOW = new Date('2026-11-27T12:00:00Z')

function inputFrom(args: string[]): Record<string, unknown> {
  const flags = flagsOf('list-mentions')
  const command = addFlags(new Command().exitOverride().configureOutput({ writeErr: () => undefined }), flags)
  command.parse(args, { from: 'user' })
  return inputOf(flags, command.opts(), NOW)
}

test('every filter of the list has a flag', () => {
  const fields = flagsOf('list-mentions').map(({ field }) => field)
  const missing = Object.keys(listMentionsOperation.query.shape).filter((name) => !fields.includes(name))
  // The command pages by itself, and the singular names are other spellings.
  expect(missing.sort()).toEqual(['cursor', 'intent', 'keywordId', 'limit', 'platform', 'sentiment'])
})

test('flags become the input of the operation', () => {
  const args = ['--platforms', 'bluesky,hackernews', '--platforms', 'github', '--no-relevant', '--min-likes', '5']
  expect(inputFrom([...args, '--since', '7d', '--tags', 'a,b', '--any-of', '[{"platforms":["x"]}]'])).toEqual({
    platforms: ['bluesky', 'hackernews', 'github'],
    relevant: false,
    minLikes: 5,
    since: '2026-11-20T12:00:00.000Z',
    tags: ['a,b'],
    anyOf: [{ platforms: ['x'] }],
  })
  expect(inputFrom([])).toEqual({})
  expect(inputFrom(['--created-since', '2026-11-01'])).toEqual({ createdSince: '2026-11-01' })
})

test.each([
  [['--min-likes', 'many'], 'must be a number'],
  [['--any-of', '{'], 'must be JSON'],
])('%j is refused', (args, message) => expect(() => inputFrom(args)).toThrow(message))

test('fields within an object are flags of their own', () => {
  const names = flagsOf('create-keyword').map(flagName)
  expect(names).toEqual(expect.arrayContaining(['excluded-terms', 'case-sensitive', 'cap-mentions']))
  const input = inputOf(flagsOf('create-keyword'), { excludedTerms: ['simpsons'], capMentions: 100 }, NOW)
  expect(input).toEqual({ matching: { excludedTerms: ['simpsons'] }, cap: { mentions: 100 } })
})

test('the help of a flag is the whole first sentence', () => {
  expect(flagsOf('create-keyword').filter(({ about, kind }) => about === '' && kind !== 'text')).toEqual([])
  const abouts = WITH_FLAGS.flatMap((operation) => flagsOf(operation).map(({ about }) => about))
  expect(abouts).toContain('Default: the default group')
})
