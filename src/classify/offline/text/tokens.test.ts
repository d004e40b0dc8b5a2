import { describe, expect, test } from 'vitest'
import { extractFeatures, newFeatures } from './features.ts'
import { KIND, newTokens, tokenise } from './tokens.ts'

const KINDS = new Map<number, string>(Object.entries(KIND).map(([name, number]) => [number, name]))
const tokensOf = (text: string) => {
  const tokens = newTokens()
  tokenise(text, tokens)
  return Array.from(
    { length: tokens.count },
    (_, at) => `${KINDS.get(tokens.kind[at]!)}:${text.slice(tokens.start[at]!, tokens.end[at]!)}`,
  )
}

describe('tokenise', () => {
  test('tells words, handles, hashtags, addresses, numbers and codes apart', () => {
    expect(tokensOf('Hi @bob see #acme at https://a.b/c?d 42 zq12mark345')).toEqual([
      'word:Hi',
      'handle:bob',
      'word:see',
      'hashtag:acme',
      'word:at',
      'address:https://a.b/c?d',
      'number:42',
      'code:zq12mark345',
    ])
  })

  test('keeps an apostrophe inside a word, straight or curly, as the same word', () => {
    const tokens = newTokens()
    tokenise("don't", tokens)
    const straight = tokens.hash[0]
    tokenise('don’t', tokens)
    expect(tokens.count).toBe(1)
    expect(tokens.hash[0]).toBe(straight)
  })

  test('ends an address at a line break', () => {
    expect(tokensOf('https://a.b\nnext')).toEqual(['address:https://a.b', 'stop:\n', 'word:next'])
  })

  test('reads faces and emoji, but no face inside an address', () => {
    expect(tokensOf('fine :) bad :-( 👍🏽')).toEqual(['word:fine', 'symbol::)', 'word:bad', 'symbol::-(', 'symbol:👍'])
    expect(tokensOf('ftp://x')).not.toContain('symbol::/')
  })

  test('takes a run of a script without spaces as one token', () => {
    expect(tokensOf('日本語 acme')).toEqual(['unspaced:日本語', 'word:acme'])
  })
})

describe('extractFeatures', () => {
  const featuresOf = (text: string) => {
    const tokens = newTokens()
    const features = newFeatures(tokens)
    tokenise(text, tokens)
    extractFeatures(tokens, features)
    return { features, negated: Array.from(features.negated.subarray(0, tokens.count)) }
  }

  test('marks the words in the reach of a negation up to the comma', () => {
    expect(featuresOf("it isn't good, really").negated).toEqual([0, 0, 1, 0, 0])
  })

  test('never repeats a bucket', () => {
    const { features } = featuresOf('so so so good good so so so good')
    const buckets = features.bucket.subarray(0, features.count)
    expect(new Set(buckets).size).toBe(buckets.length)
  })

  test('reads English as English and others by their characters', () => {
    expect(featuresOf('this is what we have for you').features.english).toBe(true)
    expect(featuresOf('das ist sehr gut und schön').features.english).toBe(false)
  })
})
