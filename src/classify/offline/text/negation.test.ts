import { expect, test } from 'vitest'
import { extractFeatures, newFeatures } from './features.ts'
import { newTokens, tokenise } from './tokens.ts'

const tokens = newTokens()
const features = newFeatures(tokens)
const turnedIn = (text: string): string => {
  tokenise(text, tokens)
  extractFeatures(tokens, features)
  return Array.from({ length: tokens.count }, (_, at) =>
    features.turned[at] === 1 ? text.slice(tokens.start[at], tokens.end[at]) : '',
  )
    .filter(Boolean)
    .join(' ')
}

test.each([
  ['Not bad', 'Not bad'],
  ["I don't hate Acme", "don't hate"],
  ['It isn’t all that bad', 'isn’t bad'],
  ['acme never fails', 'never fails'],
  ["I don't mind", "don't mind"],
  ['no problems so far, not even bad ones', 'no problems not bad'],
  ['Acme ist gar nicht so schlecht', 'nicht schlecht'],
  ['pas du tout mauvais', 'pas mauvais'],
  ['pas mal du tout', 'pas mal'],
])('takes the blame back in %j', (text, turned) => {
  expect(turnedIn(text)).toBe(turned)
})

test.each([
  'it is bad',
  'not good',
  'never been so disappointed',
  "isn't it terrible how they treat people",
  'not only bad but expensive',
  'this is not. Bad',
  "I don't know why it is bad",
  'nicht mal die Anmeldung geht',
  'never mind, Acme is terrible',
  'no joke, this is the worst app',
])('leaves %j as it is', (text) => {
  expect(turnedIn(text)).toBe('')
})

test('forgets the text before', () => {
  turnedIn('not bad')
  expect(turnedIn('so bad')).toBe('')
})
