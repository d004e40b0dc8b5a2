import { describe, expect, test } from 'vitest'
import { newTokens, tokenise } from '../text/tokens.ts'
import { bestOccurrence, endsSentence, occurrencesOf } from './occurrences.ts'
import type { Standing } from './standings.ts'

function standingsIn(text: string, term = 'acme', titleEnd = 0): Standing[] {
  const tokens = newTokens()
  tokenise(text, tokens)
  return occurrencesOf(term, tokens, titleEnd).map(({ standing }) => standing)
}

describe('where a term stands in a post', () => {
  test.each<[string, Standing]>([
    ['We moved all our notes to Acme last month.', 'prose'],
    ['Acme rocks', 'phrase'],
    ['We tried Globex, Acme, Initech and liked none of the three.', 'list'],
    ['@acme my order has not come yet', 'leading-handle'],
    ['my order has not come yet @acme please help', 'handle'],
    ['my #acme order has not come yet', 'hashtag'],
    ['good morning #notes #acme #work', 'tags'],
    ['> We moved all our notes to Acme last month.\nReally?', 'quote'],
    ['### Acme version\n1.0', 'heading'],
    ['It crashes.\n- Browser: Acme 12', 'field'],
    ['It crashes.\n\n### Browser\n\nAcme 12', 'field'],
    ['It crashes.\n```\nimport acme from there and run this thing\n```', 'code'],
    ['Run `acme build` and look at what it prints', 'code'],
    ['It crashes. <!-- please say which Acme you have installed -->', 'comment'],
    ['See you there.\nSent from my Acme', 'signature'],
    ['Look at this: https://example.com/acme/notes', 'link'],
    ['The acmeism movement was a school of poets', 'within-word'],
  ])('%j: %s', (text, standing) => {
    expect(standingsIn(text)).toEqual([standing])
  })

  test('is the title where the term stands before its end', () => {
    expect(standingsIn('Acme is here\nWe moved our notes to Acme.', 'acme', 12)).toEqual(['title', 'prose'])
  })

  test('counts terms of several words with any space between them, and stops after eight', () => {
    expect(standingsIn('We moved our notes to Acme-Cloud last month', 'acme cloud')).toEqual(['prose'])
    expect(standingsIn('acme '.repeat(100))).toHaveLength(8)
    expect(standingsIn('nothing here')).toEqual([])
  })

  test('is best where the text says most of the term', () => {
    const tokens = newTokens()
    tokenise('https://acme.com\nWe moved all our notes to Acme last month.', tokens)
    expect(bestOccurrence(occurrencesOf('acme', tokens, 0))?.standing).toBe('prose')
    expect(bestOccurrence([])).toBeNull()
  })

  test('a sentence does not end inside a name', () => {
    const tokens = newTokens()
    tokenise('Node.js runs. Well', tokens)
    const ends = [...Array(tokens.count).keys()].filter((at) => endsSentence(tokens, at))
    expect(ends.map((at) => tokens.start[at])).toEqual([12])
  })
})
