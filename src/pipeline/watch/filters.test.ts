import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { madeUpPost } from '../../../test/makers.ts'
import { eventually, posted, startPipeline, watched } from '../../../test/stand-ins/pipeline.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { authorKeysOf } from '../../domain/post/author-entry.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { sql } from '../../store/database.ts'
import { WatchedFilters } from './filters.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
const other = useWorkspace(world, 'Other')

async function following(work: (filters: WatchedFilters) => Promise<void>): Promise<void> {
  const ending = new AbortController()
  const filters = new WatchedFilters({ db: world.db, clock: world.clock, log: silentLog, signal: ending.signal })
  await filters.loaded
  try {
    await work(filters)
  } finally {
    ending.abort()
    await filters.ended
  }
}

const makePost = (change: Partial<Post>): Post => ({ ...madeUpPost(world.clock.now(), 'Rocket'), ...change })
const matchedBy = (post: Post, workspaces: readonly TestWorkspace[]) => ({
  post,
  words: [],
  authorKeys: [],
  keywords: workspaces.map(({ workspaceId }) => ({ workspaceId, keywordId: workspaceId as Uuid })),
})
const admits = (filters: WatchedFilters, post: Post, workspace = acme) =>
  filters.admitted(matchedBy(post, [workspace])) !== null
const patch = (body: object) => acme.api('PATCH', '/v1/filters', body)

const WORDS = ['rocket', 'hiring', 'jobs', 'giveaway', 'nightlybot', 'deployment']
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 })
const names = fc.constantFrom('ada', 'bob', 'eve')
const author = fc.option(
  names.map((name) => ({ id: null, name, handle: name, url: null, avatarUrl: null, followers: null, automated: null })),
)
const place = fc.constantFrom<Pick<Post, 'platform' | 'url'>>(
  { platform: 'github', url: 'https://github.com/Acme/App/issues/3' },
  { platform: 'github', url: 'https://github.com/other/app/pull/3#discussion_r1' },
  { platform: 'reddit', url: 'https://www.reddit.com/r/Jobs/comments/1/x/' },
  { platform: 'reddit', url: 'https://www.reddit.com/r/rust/comments/2/y/z/' },
  { platform: 'reddit', url: 'https://redd.it/1' },
  { platform: 'bluesky', url: 'https://www.reddit.com/r/jobs' },
)
const some = (...entries: string[]) => fc.subarray(entries)
const lists = fc.record({
  excludedTerms: some('hiring', 'jobs', '*bot', 'deploy*'),
  excludedAuthors: some('ada', 'bob'),
  excludedRepos: some('acme/app', 'acme/other'),
  subreddits: fc.record({ only: some('rust', 'zig'), excluded: some('jobs', 'rust') }),
})
type Lists = typeof lists extends fc.Arbitrary<infer Kind> ? Kind : never

/** What the specification says of filters, without the engine. */
function drops(
  { excludedTerms, excludedAuthors, excludedRepos, subreddits: { only, excluded } }: Lists,
  { text, author, platform, url }: Post,
): boolean {
  const holds = (entry: string) =>
    new RegExp(`(^|[^a-z])${entry.replace(/^\*/, '[a-z]*').replace(/\*$/, '[a-z]*')}([^a-z]|$)`).test(
      `${text} | ${author?.name ?? ''}`,
    )
  if (
    excludedTerms.some(holds) ||
    excludedAuthors.some((entry) => author !== null && authorKeysOf(platform, author).includes(entry))
  )
    return true
  const [, first = '', second = '', third = ''] = new URL(url).pathname.toLowerCase().split('/')
  if (platform === 'github') return excludedRepos.includes(`${first}/${second}`)
  if (platform !== 'reddit') return false
  const subreddit = first === 'r' && third !== '' ? second : null
  return only.length > 0 ? !only.includes(subreddit ?? '') : excluded.includes(subreddit ?? '')
}

test('whatever filters and posts there are, a post is dropped exactly when a filter of its workspace says so', async () => {
  await following(async (filters) => {
    await fc.assert(
      fc.asyncProperty(
        lists,
        fc.array(fc.record({ words, author, place }), { minLength: 1, maxLength: 30 }),
        async (sent, posts) => {
          await patch(sent)
          await eventually(() => {
            for (const item of posts) {
              const post = makePost({ text: `rocket ${item.words.join(' ')}`, author: item.author, ...item.place })
              expect([post.text, post.author?.name, post.url, admits(filters, post)]).toEqual([
                post.text,
                post.author?.name,
                post.url,
                !drops(sent, post),
              ])
              expect(admits(filters, post, other)).toBe(true)
            }
          })
        },
      ),
      { numRuns: 60 },
    )
  })
  await patch({ excludedTerms: [], excludedAuthors: [], excludedRepos: [], subreddits: { only: [], excluded: [] } })
})

describe('a change', () => {
  test('that nobody was told of is found within half a minute, and so is a workspace that has gone', async () => {
    await following(async (filters) => {
      const gone = await world.workspace('Gone')
      await gone.api('PATCH', '/v1/filters', { excludedTerms: ['rocket'] })
      await eventually(() => expect(admits(filters, makePost({}), gone)).toBe(false))
      await world.db.query(sql`
        insert into workspace_filters (workspace_id, excluded_terms, updated_at)
          values (${other.workspaceId}, '{rocket}', ${world.clock.now()})`)
      await world.db.query(sql`delete from workspace_filters where workspace_id = ${gone.workspaceId}`)
      expect(admits(filters, makePost({}), other)).toBe(true)
      await world.clock.advance(30_000)
      await eventually(() =>
        expect([admits(filters, makePost({}), other), admits(filters, makePost({}), gone)]).toEqual([false, true]),
      )
      await world.db.query(sql`delete from workspace_filters where workspace_id = ${other.workspaceId}`)
    })
  })

  test('of filters that stood there before is loaded before the first post is matched, and only new mentions follow', async () => {
    const tape = createTape('bluesky')
    const term = 'quietrocket'
    await watched(acme, term)
    await watched(other, term)
    await patch({ excludedTerms: ['giveaway'] })
    const pipeline = await startPipeline(world, { sources: [tape.source] })
    const urls = async () =>
      (
        await world.db.query<{ body: string; workspace_id: Uuid }>(sql`
        select p.body, m.workspace_id from mention m join post p on p.id = m.post_id where p.body like ${`%${term}%`}
          order by p.body, m.workspace_id`)
      ).map(({ body, workspace_id }) => `${body} ${workspace_id === acme.workspaceId ? 'acme' : 'other'}`)
    tape.add(posted(world.clock.now(), `${term} one`), posted(world.clock.now(), `${term} two giveaway`))
    await eventually(
      async () =>
        expect((await urls()).sort()).toEqual(
          [`${term} one acme`, `${term} one other`, `${term} two giveaway other`].sort(),
        ),
      {
        clock: world.clock,
      },
    )
    await pipeline.stop()
    await patch({ excludedTerms: ['one'] })
    expect(await urls()).toHaveLength(3)
  })
})
