import { expect, test } from 'vitest'
import { problemOfWords } from './beginnings.ts'

test.each([
  'goog*',
  'goog* earth',
  'my "cloud serv*"',
  'Müll*',
  'a * b',
  '** news **',
  'x -*',
  '火*',
  'まほ*',
  '한*',
  '2026*',
  'abc**',
])('%j may be asked', (question) => {
  expect(problemOfWords(question)).toBeNull()
})

test.each(['go*', 'goog* ea*', 'f**', 'ab＊'])('%j begins too short', (question) => {
  expect(problemOfWords(question)).toBe('must hold at least 3 characters of a word before an asterisk')
})

test.each(['goo*gle', '*oogle', '**bold**', '5*3'])('%j has an asterisk before a word', (question) => {
  expect(problemOfWords(question)).toBe('an asterisk can only stand at the end of a word, as in goog*')
})
