import { foldPeople } from '../../src/commands/people/fold-people.ts'
import { updatePerson } from '../../src/commands/people/update-person.ts'
import { createSegment } from '../../src/commands/segments/create-segment.ts'
import { SENTIMENTS } from '../../src/domain/mention/classification.ts'
import { accountIdOf } from '../../src/domain/person/account.ts'
import type { Platform } from '../../src/domain/platform/platforms.ts'
import type { Post, Review } from '../../src/domain/post/post.ts'
import { DAY_MS, HOUR_MS, plus } from '../../src/kernel/clock.ts'
import { toId } from '../../src/kernel/ids.ts'
import { makeKeyword, makePost, matchedBy, score, store } from '../mentions.ts'
import { makeAttentionItem } from '../rows.ts'
import { accepted, type World } from '../world.ts'
import type { Seed } from './cast.ts'

const POSTS = 60
const PLATFORMS = ['reddit', 'x', 'bluesky', 'github', 'hackernews', 'appstore'] as const
const NAMES = ['Ada Lovelace', 'Bob', '=HYPERLINK("x")', 'Dörte Öß', '\u202Eevil\u202C <b>', 'Zoë']
const INTENTS = [['question'], ['praise', 'comparison'], [], ['complaint']] as const
const LANGUAGES = ['en', 'de', 'fr', null] as const

/** A workspace with figures: a brand, a competitor, sixty mentions of forty days, reviews, people and a spike. */
export const measured: Seed = async (world, workspace) => {
  const brand = await makeKeyword(workspace, { term: 'Northlight', kind: 'brand' })
  const rival = await makeKeyword(workspace, { term: 'Kettleworks', kind: 'competitor' })
  const topic = await makeKeyword(workspace, { term: '=kettle', kind: 'topic' })
  const posts = Array.from({ length: POSTS }, (_, number) => postOf(world, number))
  for (const [number, post] of posts.entries()) {
    const keyword = [brand, brand, rival, topic][number % 4]!
    const made = await store(world, [matchedBy(post, [keyword])], { metered: false })
    if (number % 11 === 10) continue
    const verdict = {
      relevance: (number * 29) % 101,
      sentiment: SENTIMENTS[(number + Math.floor(number / NAMES.length)) % 3]!,
      intents: [...INTENTS[number % 4]!],
      language: LANGUAGES[number % 4]!,
    }
    await score(world, made, verdict, { metered: false })
  }
  await foldPeople(world.services)
  const data = { keyword: { id: brand.shown.id, term: 'Northlight' }, matches: 24, usual: 3 }
  const at = plus(world.clock.now(), -3 * DAY_MS)
  await makeAttentionItem(world, workspace.workspaceId, { kind: 'mention.spike', subjectId: brand.uuid, data, at })
  const [first, second, , fourth] = posts.map(
    ({ platform, author }) => accountIdOf(workspace.workspaceId, platform, author!)!,
  )
  accepted(await updatePerson(workspace, fourth!, { tags: ['customer', '=press'], muted: true }))
  const segment = accepted(
    await createSegment(workspace, {
      name: 'Loud critics',
      description: 'Who to answer first.',
      filter: { platforms: ['reddit', 'x'], minNegative: 1 },
    }),
  )
  return {
    segment: segment.id,
    brand: brand.shown.id,
    rival: rival.shown.id,
    person: toId('aut', first!),
    other: toId('aut', second!),
  }
}

function postOf(world: World, number: number): Post {
  const platform: Platform = PLATFORMS[number % PLATFORMS.length]!
  const name = NAMES[number % NAMES.length]!
  return makePost(world, {
    platform,
    url: `https://posts.example/${number}`,
    text: `Post ${number} about kettles that keep water hot.`,
    publishedAt: plus(world.clock.now(), -(((number * 7) % 40) * DAY_MS + (number % 5) * HOUR_MS)),
    author: {
      ...{ id: `author-${number % NAMES.length}`, name, handle: `person${number % NAMES.length}` },
      ...{
        url: 'https://people.example/a',
        avatarUrl: null,
        followers: (number % NAMES.length) * 1200,
        automated: null,
      },
    },
    review: platform === 'appstore' ? reviewOf(number) : null,
  })
}

function reviewOf(number: number): Review {
  return {
    ...{ rating: 1 + (number % 5), ratingMax: 5, title: null, verified: null, response: null, responseAt: null },
    ...{ version: number % 4 === 0 ? null : `2.${number % 3}`, country: number % 2 === 0 ? 'de' : 'us' },
    app: { platform: 'appstore', id: 'northlight', url: 'https://apps.example/northlight' },
  }
}
