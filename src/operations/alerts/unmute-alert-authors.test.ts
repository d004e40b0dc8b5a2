import { beforeEach, expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the answer of the interface, read freely
let rule: any
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  const filter = {
    excludeAuthors: ['@Jane', 'https://twitter.com/Acme', 'u/Bot_1'],
    anyOf: [{ excludeAuthors: ['@jane'] }],
  }
  rule = (await acme.api('POST', '/v1/alerts', { name: 'Rule', filter })).body
})

const unmute = (authors: unknown) => acme.api('POST', `/v1/alerts/${rule.id}/unmute`, { authors })

test('people are unmuted by any way of naming them, and those who were not muted are passed over', async () => {
  const { status, body } = await unmute(['jane', 'https://x.com/acme/', 'Nobody'])
  expect([status, body]).toEqual([
    200,
    {
      ...rule,
      filter: { excludeAuthors: ['https://www.reddit.com/user/bot_1'], anyOf: [{ excludeAuthors: ['jane'] }] },
      version: 2,
    },
  ])
  expect((await unmute(['jane', 'Nobody'])).body).toEqual(body)
})

test('what is shown can be sent back to unmute it, and a rule without muted people can be sent again as it is shown', async () => {
  const { body } = await unmute(rule.filter.excludeAuthors)
  expect(body.filter).toEqual({ anyOf: [{ excludeAuthors: ['jane'] }] })
  expect((await acme.api('PATCH', `/v1/alerts/${rule.id}`, { filter: body.filter })).body).toEqual(body)
})

test('an entry that names nobody is refused, and changes nothing', async () => {
  const { status, body } = await unmute(['jane', 'https://github.com/acme/app'])
  expect([status, body.error.message]).toEqual([400, 'authors.1: a repository names no person'])
  expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).body).toEqual(rule)
})
