import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Exceptions, tooMany } from '../prose.ts'
import { findingsIn, formerWords, sentencesOf } from './rules.ts'
import { allTexts, textsOfApi, textsOfPage } from './texts.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const EXCEPTIONS = JSON.parse(readFileSync(new URL('./exceptions.json', import.meta.url), 'utf8')) as Exceptions

function rulesBrokenBy(text: string, file = 'docs/guides/a.md'): string[] {
  return findingsIn([{ place: file, file, text }]).map(({ rule, message }) => `${rule}: ${message.split(':')[0]}`)
}

test.each([
  ['Whoever wants it gets it.', ['word: "whoever" (write']],
  ['The counts are made anew beside the old ones.', ['word: "anew" (write', 'word: "beside" (write']],
  ['Deliveries in hand are written to a parcel.', ['word: "parcel" (write', 'word: "in hand" (write']],
  ['A balance of exactly nought stops nothing.', ['word: "nought" (write']],
  ['What is ignored or done is not sent any more.', ['noun: begin with the noun']],
  ['Who has forgotten a password gets a link by mail.', ['noun: begin with the noun']],
  [`The keyword ${'really '.repeat(24)}matches.`, ['sentence length: 27 words, at most 25']],
])('a bad sentence is found: %s', (sentence, broken) => {
  expect(rulesBrokenBy(sentence)).toEqual(broken)
})

test.each([
  'Returns the newest 25 mentions by default. `limit` may be up to 100.',
  'What does a seventeenth platform take?',
  'That is why besides the key a role counts.',
  'What a webhook gets',
])('a good sentence is left alone: %s', (sentence) => {
  expect(rulesBrokenBy(sentence)).toEqual([])
})

test('code and tables of bad examples are not judged; a piece of code is one word', () => {
  const page =
    '# T\n\nRun `a b c` now.\n\n```sh\nwhoever anew\n```\n\n| Bad | Good |\n| --- | --- |\n| anew | again |\n'
  expect(textsOfPage('a.md', page).map(({ text }) => text)).toEqual(['Run `code` now.'])
})

test('every description of the API is judged once, each of its paragraphs', () => {
  const api = { a: { description: 'One.\n\nTwo.' }, b: [{ summary: 'Three' }, { description: 'One.\n\nTwo.' }] }
  expect(textsOfApi(api).map(({ text }) => text)).toEqual(['One.', 'Two.', 'Three'])
})

test('former words come from the glossary', () => {
  const row = '| in flight | Taken and not yet finished. | held, in hand |\n| Word | Meaning | Formerly |\n'
  expect(formerWords(row)).toEqual([['in hand', 'in flight']])
})

test('sentences end at a full stop and not at an abbreviation', () => {
  expect(sentencesOf('One thing, e.g. This. Two: Three.')).toEqual(['One thing, e.g This.', 'Two:', 'Three.'])
})

test('a file may have the findings that are listed, and not one more', () => {
  const finding = { place: 'p', file: 'a.md', rule: 'word', message: 'm' } as const
  expect(tooMany([finding], { 'a.md': 1 })).toEqual([])
  expect(tooMany([finding, finding], { 'a.md': 1 })).toHaveLength(2)
  expect(tooMany([finding], {})).toHaveLength(1)
})

test('the texts of this repository pass, guides and get started without any exception', () => {
  expect(tooMany(findingsIn(allTexts()), EXCEPTIONS)).toEqual([])
  expect(Object.keys(EXCEPTIONS).filter((file) => /guides|get-started|how-it-works/.test(file))).toEqual([])
})

test('the command ends with code 0 where there is nothing to change', () => {
  const { status, stdout } = spawnSync('npx', ['tsx', 'scripts/prose.ts'], { cwd: PROJECT, encoding: 'utf8' })
  expect([status, stdout.trim().split('\n').at(-1)]).toEqual([0, 'prose: nothing to change'])
})
