import { expect, it } from 'vitest'
import { FAMILIES, type Family } from './family.ts'
import { GROUPS, groupOf } from './group.ts'
import { newTokens, tokenise } from './tokens.ts'

const tokens = newTokens()
const groupIn = (text: string, family: Family = 'social') => {
  tokenise(text, tokens)
  return GROUPS[groupOf(family, tokens)]
}

it.each(['so tired today', 'I love it. Going home now!', 'OMG i am late again', 'What? No way', ''])('takes %j for chat', (text) => {
  expect(groupIn(text)).toBe('chat')
})

it.each(['@someone so tired', 'so tired #monday', 'so tired https://example.com', 'so tired of Acme today'])('takes %j for what it stands among', (text) => {
  expect(groupIn(text)).toBe('social')
})

it('leaves every other family whole', () => {
  for (const family of FAMILIES.slice(1)) expect(groupIn('so tired today', family)).toBe(family)
})

it('keeps the order of the groups, which the model file relies on', () => {
  expect(GROUPS).toEqual(['social', 'developer', 'reviews', 'forum', 'news', 'chat'])
})
