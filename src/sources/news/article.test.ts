import { expect, test } from 'vitest'
import { articleAddress, domainOf, withoutPublisher } from './article.ts'

test('the publisher is cut off a headline, and nothing else', () => {
  const cases: [headline: string, domain: string, publisher: string | null, rest: string][] = [
    ['Acme wins - The Daily', 'daily.example', 'The Daily', 'Acme wins'],
    ['Acme wins - again', 'daily.example', 'The Daily', 'Acme wins - again'],
    ['Acme wins | The New York Times', 'nytimes.com', null, 'Acme wins'],
    ['Acme wins – CNN.com', 'cnn.com', null, 'Acme wins'],
    ['Acme wins - Five ways to win', 'ft.com', null, 'Acme wins - Five ways to win'],
    ['Acme wins - Bad bets cost Beta', 'bbc.co.uk', null, 'Acme wins - Bad bets cost Beta'],
    ['Acme wins - The Bank of Nova Scotia', 'bns.com', null, 'Acme wins'],
    ['Acme wins - connections', 'cnn.com', null, 'Acme wins - connections'],
    ['Acme wins - Companies House', 'bbc.co.uk', null, 'Acme wins - Companies House'],
    ['Acme wins - Business - Financial Times', 'ft.com', null, 'Acme wins - Business'],
    [' - The Daily', 'daily.example', 'The Daily', ' - The Daily'],
  ]
  for (const [headline, domain, publisher, rest] of cases)
    expect(withoutPublisher(headline, domain, publisher)).toBe(rest)
})

test('addresses lose what follows their reader, hosts what only says how a site is shown', () => {
  expect(articleAddress('https://a.example/x?b=2&utm_source=s&fbclid=1&a=1&UTM_Term=t#top')).toBe(
    'https://a.example/x?b=2&a=1',
  )
  expect([articleAddress('javascript:alert(1)'), articleAddress(`https://a.example/${'x'.repeat(3000)}`)]).toEqual([
    null,
    null,
  ])
  expect([
    domainOf('https://www.a.example/x'),
    domainOf('m.a.example'),
    domainOf('m.example'),
    domainOf('a b'),
  ]).toEqual(['a.example', 'a.example', 'm.example', null])
})
