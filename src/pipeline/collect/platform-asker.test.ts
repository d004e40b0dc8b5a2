import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  eventually,
  type Pipeline,
  posted,
  startPipeline,
  watched,
  whileTimePasses,
} from '../../../test/stand-ins/pipeline.ts'
import { searchable } from '../../../test/stand-ins/sources.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import { updateKeyword } from '../../commands/keywords/update-keyword.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { PageSource, ReviewPageQuery, SearchQuery, SearchSource, Source } from '../../sources/contract.ts'
import { QuotaReached, SourceFault } from '../../sources/contract.ts'
import { sql } from '../../store/database.ts'
import { readSourceStates } from '../../store/source/source-state.ts'

let pipeline: Pipeline | null

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(() => {
  pipeline = null
})

afterEach(async () => {
  if (pipeline) await whileTimePasses(world.clock, pipeline.stop())
})

async function run(...sources: Source[]): Promise<void> {
  pipeline = await startPipeline(world, { sources })
}

const soon = (check: () => unknown, stepMs = 5) => eventually(check, { clock: world.clock, stepMs })

/** A platform of which a test knows the posts and the faults; it remembers what it was asked. */
interface Platformed {
  posts: Post[]
  asked: SearchQuery[]
  /** Thrown by the next requests, one each. */
  faults: SourceFault[]
  source: SearchSource
}

function createPlatform(platform: Platform, more: Partial<SearchSource> = {}): Platformed {
  const made: Platformed = {
    posts: [],
    asked: [],
    faults: [],
    source: searchable(
      platform,
      async function* (query) {
        made.asked.push(query)
        const fault = made.faults.shift()
        if (fault) throw fault
        const found = made.posts.filter(({ publishedAt }) => publishedAt >= query.since)
        yield found.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
      },
      more,
    ),
  }
  return made
}

const on = (platform: Platform, ageMs: number, text: string, more: Partial<Post> = {}): Post =>
  posted(plus(world.clock.now(), -ageMs), text, { platform, ...more }).post

async function texts(keywordId?: string): Promise<string[]> {
  const rows = await world.db.query<{ body: string; keyword_id: string }>(
    sql`select p.body, m.keyword_id from mention m join post p on p.id = m.post_id order by p.body`,
  )
  return rows.filter((row) => keywordId === undefined || row.keyword_id === keywordId).map(({ body }) => body)
}

const only = (platform: 'github' | 'x' | 'reddit') => ({ platforms: [platform] })

describe('a term', () => {
  test('is asked for at once, however little else is due, and what is found is stored and scored', async () => {
    const github = createPlatform('github')
    await run(github.source)
    github.posts.push(on('github', 0, 'We use Acme'), on('github', 0, 'acmeish'))
    await watched(acme, 'Acme', only('github'))
    await soon(async () => expect(await texts()).toEqual(['We use Acme']))
    expect(github.asked.map(({ terms }) => terms)).toEqual([['Acme']])
    await soon(async () =>
      expect(await world.db.query(sql`select 1 from mention where scored_at is not null`)).toHaveLength(1),
    )
  })

  test('is asked for once for all workspaces that watch it, however they spell it', async () => {
    const github = createPlatform('github')
    const other = await world.workspace('Other')
    const ids = [await watched(acme, 'Acme Corp', only('github')), await watched(other, 'ACME corp', only('github'))]
    github.posts.push(on('github', 0, 'about acme corp'))
    await run(github.source)
    await soon(async () => expect(await texts()).toHaveLength(2))
    expect(github.asked).toHaveLength(1)
    for (const id of ids) expect(await texts(id)).toEqual(['about acme corp'])
  })

  test('goes into one request with others, as many as fit', async () => {
    const fits = (terms: readonly string[]) => terms.join(' ').length <= 11
    const github = createPlatform('github')
    github.source.searching = { ...github.source.searching, termsPerSearch: 5, fits }
    for (const term of ['alpha', 'bravo', 'charlie', 'delta']) await watched(acme, term, only('github'))
    await run(github.source)
    await soon(() => expect(github.asked.flatMap(({ terms }) => terms)).toHaveLength(4))
    expect(github.asked.length).toBeLessThan(4)
    for (const { terms } of github.asked) expect(terms.length === 1 || fits(terms)).toBe(true)
  })

  test('is asked for ever less often while nothing new comes, down to a sixteenth, and at the base again after a find', async () => {
    const github = createPlatform('github', { pollSeconds: 60 })
    const id = await watched(acme, 'Acme', only('github'))
    await run(github.source)
    const gaps: number[] = []
    let before: number | null = null
    const times = async (count: number) => {
      const from = github.asked.length
      await soon(() => expect(github.asked.length).toBeGreaterThanOrEqual(from + count), 5 * SECOND_MS)
    }
    const polling = async () => (await acme.api('GET', `/v1/keywords`)).body.data[0].polling[0]
    // Time stands still until a poll is written down: the next one counts from there, however slow this machine is.
    const written = (emptyPolls: number) =>
      eventually(async () => expect(await polling()).toMatchObject({ platform: 'github', emptyPolls }))
    for (let poll = 0; poll < 8; poll += 1) {
      await times(1)
      const at = world.clock.now().getTime()
      if (before !== null) gaps.push(Math.round((at - before) / MINUTE_MS))
      before = at
      await written(poll + 1)
    }
    const near = (gap: number, minutes: number) => Math.abs(gap - minutes) <= 0.1 * minutes + 0.6
    for (const [place, minutes] of [2, 4, 8, 16, 16, 16, 16].entries())
      expect([minutes, near(gaps[place]!, minutes)]).toEqual([minutes, true])
    github.posts.push(on('github', 0, 'Acme again'))
    await times(1)
    const foundAt = world.clock.now().getTime()
    await written(0)
    expect(await texts(id)).toEqual(['Acme again'])
    // By what is written down: when it is asked, the clock may have run ahead of a slow machine.
    const [next] = await world.db.query<{ due_at: Date }>(sql`select due_at from source_query`)
    expect((next!.due_at.getTime() - foundAt) / MINUTE_MS).toBeLessThan(1.5)
    await times(1)
  }, 60_000)

  test('is not asked for while it is muted, and at once when it is not any more', async () => {
    const github = createPlatform('github')
    const id = await watched(acme, 'Acme', { ...only('github'), muted: true })
    await run(github.source)
    await soon(async () =>
      expect(
        await world.db.query(sql`select 1 from source_query where due_at > ${plus(world.clock.now(), HOUR_MS)}`),
      ).toHaveLength(1),
    )
    expect(github.asked).toEqual([])
    await updateKeyword(acme, id, { muted: false })
    await soon(() => expect(github.asked).toHaveLength(1))
  })

  test('is forgotten when nobody asks for it any more', async () => {
    const github = createPlatform('github')
    const id = await watched(acme, 'Acme', only('github'))
    await run(github.source)
    await soon(() => expect(github.asked).toHaveLength(1))
    await updateKeyword(acme, id, { platforms: ['hackernews'] })
    await soon(
      async () => expect(await world.db.query(sql`select 1 from source_query where platform = 2`)).toEqual([]),
      10 * SECOND_MS,
    )
  })

  test('wants what is published in the second of its making, where the platform tells whole seconds', async () => {
    await world.clock.advance(700)
    const github = createPlatform('github', { pollSeconds: 60, overlapSeconds: 60 })
    const id = await watched(acme, 'Acme', only('github'))
    await run(github.source)
    await soon(() => expect(github.asked).toHaveLength(1))
    github.posts.push(on('github', 0, 'Acme', { publishedAt: new Date('2026-11-20T09:30:00.000Z') }))
    await soon(async () => expect(await texts(id)).toEqual(['Acme']), SECOND_MS)
  })

  test('goes on where it was after a restart, and reads the overlap again', async () => {
    const overlapSeconds = 60
    const github = createPlatform('github', { overlapSeconds })
    await watched(acme, 'Acme', only('github'))
    await run(github.source)
    await soon(() => expect(github.asked).toHaveLength(2), 10 * SECOND_MS)
    const readAt = world.clock.now()
    await whileTimePasses(world.clock, pipeline!.stop())
    await world.clock.advance(2 * HOUR_MS)
    github.posts.push(posted(plus(readAt, -30 * SECOND_MS), 'Acme, indexed late', { platform: 'github' }).post)
    await run(github.source)
    await soon(async () => expect(await texts()).toEqual(['Acme, indexed late']))
    expect(readAt.getTime() - github.asked[2]!.since.getTime()).toBeGreaterThanOrEqual(
      overlapSeconds * SECOND_MS - SECOND_MS,
    )
    expect(readAt.getTime() - github.asked[2]!.since.getTime()).toBeLessThanOrEqual((overlapSeconds + 15) * SECOND_MS)
  })
})

describe('terms that are asked for together', () => {
  test('do not hide each other: where one has more than is read, each is asked for alone', async () => {
    const github = createPlatform('github', { pollSeconds: 60 })
    github.source.searching = { ...github.source.searching, termsPerSearch: 5 }
    for (let n = 0; n < 200; n += 1) github.posts.push(on('github', DAY_MS + n * SECOND_MS, `loud ${n}`))
    github.posts.push(on('github', 9 * DAY_MS, 'quiet'))
    // A platform that knows phrases, and hands out the newest that hold one.
    const all = github.source.searching.search
    github.source.searching.search = async function* (context, query) {
      for await (const posts of all(context, query)) {
        const holding = posts.filter(({ text }) => query.terms.some((term) => text.includes(term)))
        for (let from = 0; from < holding.length; from += 20) yield holding.slice(from, from + 20)
      }
    }
    const [loud, quiet] = [await watched(acme, 'loud', only('github')), await watched(acme, 'quiet', only('github'))]
    await run(github.source)
    await soon(async () => expect([(await texts(loud)).length, await texts(quiet)]).toEqual([10, ['quiet']]), SECOND_MS)
    expect(github.asked[0]!.terms).toHaveLength(2)
  })

  test('are asked for by fewer at a time while the platform is down, and together again afterwards', async () => {
    const github = createPlatform('github', { pollSeconds: 3600 })
    github.source.searching = { ...github.source.searching, termsPerSearch: 8 }
    for (let n = 0; n < 8; n += 1) await watched(acme, `term ${n}`, only('github'))
    github.faults.push(new SourceFault('unavailable', 'down'))
    await run(github.source)
    await soon(() => expect(github.asked.slice(1).flatMap(({ terms }) => terms)).toHaveLength(8), 500)
    expect(github.asked.map(({ terms }) => terms.length)).toEqual([8, 4, 4])
  })
})

describe('looking back', () => {
  test('is what a platform does that can be asked only long after the keyword was made', async () => {
    await watched(acme, 'Acme', only('github'))
    await world.clock.advance(25 * DAY_MS)
    const github = createPlatform('github')
    for (let day = 1; day <= 24; day += 1) github.posts.push(on('github', day * DAY_MS + HOUR_MS, `Acme ${day}`))
    await run(github.source)
    await soon(async () => expect(await texts()).toHaveLength(10))
  })

  test('goes on where it broke off', async () => {
    const github = createPlatform('github', { pollSeconds: 60 })
    for (let day = 1; day <= 20; day += 1)
      github.posts.push(on('github', day * DAY_MS, `Acme ${String(day).padStart(2, '0')}`))
    const all = github.source.searching.search
    let asked = 0
    github.source.searching = {
      ...github.source.searching,
      async *search(context, query) {
        asked += 1
        for await (const posts of all(context, query)) {
          yield posts.slice(0, 6)
          if (asked === 1) throw new SourceFault('unavailable', 'down')
          yield posts.slice(6)
        }
      },
    }
    await watched(acme, 'Acme', only('github'))
    await run(github.source)
    await soon(async () => expect(await texts()).toHaveLength(10), SECOND_MS)
  })

  test('asks for no more than it may bring, and not again for what a pause left out', async () => {
    const github = createPlatform('github', { pollSeconds: 60, overlapSeconds: 3600 })
    const id = await watched(acme, 'Acme', only('github'))
    await run(github.source)
    await soon(() => expect(github.asked).toHaveLength(1))
    expect(github.asked[0]!.limit).toBe(30)
    await updateKeyword(acme, id, { muted: true })
    await world.clock.advance(20 * DAY_MS)
    await updateKeyword(acme, id, { muted: false })
    const unmutedAt = world.clock.now()
    const before = github.asked.length
    await soon(() => expect(github.asked.length).toBeGreaterThan(before), SECOND_MS)
    expect(github.asked[before]!.since.getTime()).toBeGreaterThanOrEqual(unmutedAt.getTime() - HOUR_MS)
  })

  test('is kept for a keyword that is muted while another has the same term asked for', async () => {
    const github = createPlatform('github', { pollSeconds: 60 })
    const other = await world.workspace('Other')
    github.posts.push(on('github', DAY_MS, 'Acme yesterday'))
    const muted = await watched(acme, 'Acme', { ...only('github'), muted: true })
    await watched(other, 'Acme', only('github'))
    await run(github.source)
    await soon(async () => expect(await texts()).toHaveLength(1))
    await updateKeyword(acme, muted, { muted: false })
    await soon(async () => expect(await texts(muted)).toEqual(['Acme yesterday']), SECOND_MS)
  })

  test('brings the newest ten of the last thirty days, and only at the first poll', async () => {
    const github = createPlatform('github', { pollSeconds: 60, overlapSeconds: 40 * 86_400 })
    for (let day = 1; day <= 35; day += 1)
      github.posts.push(on('github', day * DAY_MS, `Acme, ${String(day).padStart(2, '0')} days ago`))
    await watched(acme, 'Acme', only('github'))
    await run(github.source)
    const newest = Array.from({ length: 10 }, (_, at) => `Acme, ${String(at + 1).padStart(2, '0')} days ago`)
    await soon(async () => expect(await texts()).toEqual(newest))
    await soon(() => expect(github.asked.length).toBeGreaterThan(2), 5 * SECOND_MS)
    expect(await texts()).toEqual(newest)
    expect(await world.db.query(sql`select 1 from mention where free`)).toEqual([])
  })

  test('brings fifty from all platforms together, though they are asked at the same time', async () => {
    const names = ['github', 'reddit', 'x', 'youtube', 'news', 'linkedin', 'tiktok'] as const
    const platforms = names.map((name) => createPlatform(name))
    for (const [place, name] of names.entries())
      for (let day = 1; day <= 12; day += 1)
        platforms[place]!.posts.push(on(name, day * DAY_MS, `Acme on ${name} ${day}`))
    await watched(acme, 'Acme', { platforms: [...names] })
    await run(...platforms.map(({ source }) => source))
    await soon(async () => {
      for (const { asked } of platforms) expect(asked.length).toBeGreaterThan(0)
      expect(await world.db.query(sql`select 1 from keyword_query where look_back`)).toEqual([])
    })
    expect(await texts()).toHaveLength(50)
  })

  test('is for the keyword that is new, not for those that watch the term already', async () => {
    const github = createPlatform('github')
    const other = await world.workspace('Other')
    const early = await watched(acme, 'Acme', only('github'))
    await run(github.source)
    await soon(() => expect(github.asked).toHaveLength(1))
    github.posts.push(on('github', 2 * DAY_MS, 'Acme, long ago'))
    const late = await watched(other, 'Acme', only('github'))
    await soon(async () => expect(await texts(late)).toEqual(['Acme, long ago']))
    expect(await texts(early)).toEqual([])
  })

  test('does not reach behind a pause', async () => {
    const github = createPlatform('github', { pollSeconds: 60, overlapSeconds: 3600 })
    const id = await watched(acme, 'Acme', only('github'))
    await run(github.source)
    await soon(() => expect(github.asked).toHaveLength(1))
    await updateKeyword(acme, id, { muted: true })
    await world.clock.advance(MINUTE_MS)
    github.posts.push(on('github', 0, 'Acme in the pause'))
    await world.clock.advance(MINUTE_MS)
    await updateKeyword(acme, id, { muted: false })
    github.posts.push(on('github', 0, 'Acme after the pause'))
    await soon(async () => expect(await texts()).toEqual(['Acme after the pause']), SECOND_MS)
  })

  test('looks for what was there before on platforms whose whole feed is read, once', async () => {
    const asked: SearchQuery[] = []
    const old = on('hackernews', DAY_MS, 'Acme yesterday')
    const source: Source = {
      platform: 'hackernews',
      mode: 'stream',
      hosts: [],
      limits: [],
      pollSeconds: 60,
      async *poll() {},
      searching: {
        termsPerSearch: 1,
        async *search(_, query) {
          asked.push(query)
          yield [old]
        },
      },
    }
    await run(source)
    await watched(acme, 'Acme', { platforms: ['hackernews'] })
    await soon(async () => expect(await texts()).toEqual(['Acme yesterday']))
    await world.clock.advance(HOUR_MS)
    await soon(() => expect(asked).toHaveLength(1), MINUTE_MS)
  })
})

describe('a platform that fails', () => {
  test('is asked again when it said so, and not before', async () => {
    const github = createPlatform('github', { pollSeconds: 60 })
    github.faults.push(new SourceFault('throttled', 'slow down', { retryAfterSeconds: 120 }))
    await watched(acme, 'Acme', only('github'))
    await run(github.source)
    await soon(() => expect(github.asked).toHaveLength(1))
    const at = world.clock.now().getTime()
    github.posts.push(on('github', 0, 'Acme'))
    await soon(() => expect(github.asked).toHaveLength(2), SECOND_MS)
    expect(world.clock.now().getTime() - at).toBeGreaterThanOrEqual(119 * SECOND_MS)
    await soon(async () => expect(await texts()).toEqual(['Acme']))
  })

  test('keeps nothing of a reply that broke off, loses nothing, and says what is wrong until it is well', async () => {
    const github = createPlatform('github', { pollSeconds: 60 })
    github.faults.push(new SourceFault('shape_changed', 'the reply has another form'))
    github.posts.push(on('github', MINUTE_MS, 'Acme'))
    await watched(acme, 'Acme', only('github'))
    await run(github.source)
    const state = async () => (await readSourceStates(world.db)).find(({ source }) => source === 'github')
    await soon(async () =>
      expect(await state()).toMatchObject({ failures: 1, lastError: 'shape_changed: the reply has another form' }),
    )
    await soon(async () => expect(await texts()).toEqual(['Acme']), SECOND_MS)
    expect(await state()).toMatchObject({ failures: 0, lastError: null })
  })

  test('in the middle of its answer has what came before stored, and is asked for the rest', async () => {
    let asked = 0
    const [newer, older] = [on('github', 0, 'Acme now'), on('github', MINUTE_MS, 'Acme before')]
    const source = searchable('github', async function* () {
      asked += 1
      yield [newer]
      if (asked < 3) throw new SourceFault('unavailable', 'the second page is missing')
      yield [older]
    })
    await watched(acme, 'Acme', only('github'))
    await run(source)
    await soon(async () => expect(await texts()).toEqual(['Acme now']))
    expect(await world.db.query(sql`select 1 from source_query where read_until is null and look_back`)).toHaveLength(1)
    await soon(async () => expect(await texts()).toEqual(['Acme before', 'Acme now']), SECOND_MS)
    expect(
      await world.db.query(sql`select 1 from source_query where read_until is not null and not look_back`),
    ).toHaveLength(1)
  })

  test('over some terms by asking for patience keeps the others going', async () => {
    const asked: string[] = []
    const source = searchable('github', async function* ({ terms }) {
      asked.push(terms[0]!)
      if (terms[0]!.startsWith('bad')) throw new SourceFault('throttled', 'too much', { retryAfterSeconds: 30 })
      yield []
    })
    for (const term of ['bad one', 'bad two', 'good one', 'good two']) await watched(acme, term, only('github'))
    await run(source)
    await soon(
      () => expect(asked.filter((term) => term.startsWith('good')).length).toBeGreaterThanOrEqual(2),
      5 * SECOND_MS,
    )
  })

  test('by its own limits in the middle of an answer has what came stored, and goes on with the others', async () => {
    const asked: string[] = []
    const source = searchable('github', async function* ({ terms }) {
      asked.push(terms[0]!)
      yield [on('github', 0, `about ${terms[0]}`)]
      if (terms[0] === 'hot') throw new QuotaReached('too fast', 60, false)
    })
    for (const term of ['hot', 'mild']) await watched(acme, term, only('github'))
    await run(source)
    await soon(async () => expect(await texts()).toEqual(['about hot', 'about mild']), 5 * SECOND_MS)
    expect(asked.filter((term) => term === 'hot')).toHaveLength(1)
    const [state] = await readSourceStates(world.db)
    expect(state).toMatchObject({ failures: 0 })
  })

  test('delays no other', async () => {
    const [github, reddit] = [createPlatform('github'), createPlatform('reddit')]
    for (let times = 0; times < 50; times += 1) github.faults.push(new SourceFault('unavailable', 'down'))
    reddit.posts.push(on('reddit', 0, 'Acme'))
    await watched(acme, 'Acme', { platforms: ['github', 'reddit'] })
    await run(github.source, reddit.source)
    await soon(async () => expect(await texts()).toEqual(['Acme']))
  })

  test('over one term is asked for the others meanwhile, each alone', async () => {
    const asked: (readonly string[])[] = []
    const source = searchable('github', async function* ({ terms }) {
      asked.push(terms)
      if (terms.includes('bad term')) throw new SourceFault('shape_changed', 'it does not understand the question')
      yield [on('github', 0, terms.join(' and '))]
    })
    source.searching = { ...source.searching, termsPerSearch: 5 }
    await watched(acme, 'bad term', only('github'))
    await watched(acme, 'Acme', only('github'))
    await run(source)
    await soon(async () => expect(await texts()).toEqual(['Acme']), SECOND_MS)
    expect(asked[0]).toHaveLength(2)
    expect(asked).toContainEqual(['Acme'])
  })
})

describe('what a post is filled in with', () => {
  test('is stored, and its author excluded by it', async () => {
    const source = searchable('x', async function* () {
      yield [
        on('x', 0, 'Acme by a friend', { author: author('1', null) }),
        on('x', 0, 'Acme by a foe', { author: author('2', null) }),
      ]
    })
    source.enrich = async (_, posts) =>
      posts.map((post) => ({ ...post, author: author(post.author!.id!, `name_${post.author!.id}`) }))
    await watched(acme, 'Acme', { ...only('x'), matching: { excludedAuthors: ['https://x.com/name_2'] } })
    await run(source)
    await soon(async () => expect(await texts()).toEqual(['Acme by a friend']))
    const [row] = await world.db.query<{ author: { handle: string } }>(sql`select author from post`)
    expect(row!.author.handle).toBe('name_1')
  })

  test('does not keep the post waiting when the platform does not answer', async () => {
    const github = createPlatform('github')
    github.posts.push(on('github', 0, 'Acme'))
    const source = {
      ...github.source,
      enrich: () => Promise.reject(new SourceFault('unavailable', 'no profiles today')),
    }
    await watched(acme, 'Acme', only('github'))
    await run(source)
    await soon(async () => expect(await texts()).toEqual(['Acme']))
  })

  test('keeps one post waiting, and not the next one too, when the platform never answers', async () => {
    const github = createPlatform('github', { pollSeconds: 10 })
    github.posts.push(on('github', 0, 'Acme'))
    let asked = 0
    // As sources do it: being cut short is no fault, and what they have by then is answered.
    const enrich: SearchSource['enrich'] = async ({ signal }, posts) => {
      asked += 1
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return [...posts]
    }
    await watched(acme, 'Acme', only('github'))
    await run({ ...github.source, enrich })
    await soon(async () => expect(await texts()).toEqual(['Acme']), 100)
    github.posts.push(on('github', 0, 'Acme again'))
    await soon(async () => expect(await texts()).toEqual(['Acme', 'Acme again']), 100)
    expect(asked).toBe(1)
  })
})

describe('a review page', () => {
  const at = (id: string, countries?: string[]) => ({
    platform: 'appstore' as const,
    id,
    ...(countries ? { countries } : {}),
  })

  function createStore(reviews: (page: ReviewPageQuery) => Post[]): { source: PageSource; asked: string[] } {
    const asked: string[] = []
    const source: PageSource = {
      platform: 'appstore',
      mode: 'page',
      hosts: [],
      limits: [],
      pollSeconds: 86_400,
      overlapSeconds: 3600,
      async *read(_, page, since) {
        asked.push(`${page.id} ${page.country}`)
        yield reviews(page).filter(({ publishedAt }) => publishedAt >= since)
      },
    }
    return { source, asked }
  }

  const review = (id: string, ageMs: number, text: string): Post =>
    on('appstore', ageMs, text, {
      nativeId: id,
      review: {
        rating: 2,
        ratingMax: 5,
        title: null,
        version: null,
        country: null,
        verified: null,
        response: null,
        responseAt: null,
        app: null,
      },
    })

  test('is looked back at for thirty days without charge; what follows is charged, and need not hold the term', async () => {
    const reviews = [
      review('1', 40 * DAY_MS, 'ancient'),
      review('2', 3 * DAY_MS, 'old'),
      ...Array.from({ length: 15 }, (_, n) => review(`n${n}`, DAY_MS, 'older')),
    ]
    const store = createStore(() => reviews)
    await watched(acme, 'Acme', { platforms: [], reviewSources: [at('123456')] })
    await run(store.source)
    await soon(async () => expect(await texts()).toHaveLength(16))
    await world.clock.advance(DAY_MS)
    reviews.push(review('3', 0, 'crashes'))
    await soon(async () => expect(await texts()).toHaveLength(17), HOUR_MS)
    await soon(async () => {
      const rows = await world.db.query(
        sql`select p.body, m.free, m.relevance, m.sentiment from mention m join post p on p.id = m.post_id
            where p.body <> 'older' order by 1`,
      )
      expect(rows).toMatchObject([
        { body: 'crashes', free: false },
        { body: 'old', free: true },
      ])
      const [usage] = await world.db.query<{ scored: number; billable: number }>(
        sql`select sum(scored)::int as scored, sum(billable)::int as billable from usage_day`,
      )
      expect(usage).toEqual({ scored: 17, billable: 1 })
    })
  }, 30_000)

  test('is read in each storefront, and a review that stands in two is one mention', async () => {
    const store = createStore(({ country }) => [
      review('1', DAY_MS, 'in both'),
      review(`${country}`, DAY_MS, `only in ${country}`),
    ])
    await watched(acme, 'Acme', { platforms: [], reviewSources: [at('123456', ['us', 'de'])] })
    await run(store.source)
    await soon(async () => expect(await texts()).toEqual(['in both', 'only in de', 'only in us']))
    expect(store.asked.sort()).toEqual(['123456 de', '123456 us'])
  })

  test('that is listed already is left as it is when another is added', async () => {
    const store = createStore(({ country }) => [review(`${country} 1`.replace(' ', '-'), 2 * DAY_MS, `in ${country}`)])
    const id = await watched(acme, 'Acme', { platforms: [], reviewSources: [at('123456', ['us'])] })
    await run(store.source)
    await soon(async () => expect(await texts()).toEqual(['in us']))
    await updateKeyword(acme, id, { reviewSources: [at('123456', ['us', 'de'])] })
    await soon(async () => expect(await texts()).toEqual(['in de', 'in us']))
    expect(store.asked).toEqual(['123456 us', '123456 de'])
  })

  test('belongs to the keywords that it is connected to, whatever its reviews say, unless their rules exclude them', async () => {
    const store = createStore(() => [
      review('1', 0, 'the refund took weeks, Bravo is better'),
      review('2', 0, 'spam spam'),
    ])
    const own = await watched(acme, 'Acme', {
      platforms: [],
      reviewSources: [at('123456')],
      matching: { requiredTerms: ['never'], excludedTerms: ['spam'] },
    })
    const other = await watched(acme, 'Bravo')
    await run(store.source)
    await soon(async () => expect(await texts(own)).toEqual(['the refund took weeks, Bravo is better']))
    expect(await texts(other)).toEqual([])
  })

  test('that has gone is tried again a day later and keeps nobody waiting', async () => {
    const store = createStore(({ id }) => {
      if (id === '111111') throw new SourceFault('gone', 'there is no such app')
      return [review('1', 0, 'fine')]
    })
    await watched(acme, 'Acme', { platforms: [], reviewSources: [at('111111'), at('222222')] })
    await run(store.source)
    await soon(async () => expect(await texts()).toEqual(['fine']))
    const [row] = await world.db.query<{ last_error: string; due_at: Date }>(
      sql`select last_error, due_at from source_query where last_error is not null`,
    )
    const state = (await readSourceStates(world.db)).find(({ source }) => source === 'appstore')
    expect(state).toMatchObject({ failures: 0, lastError: null })
    expect(row!.last_error).toBe('gone: there is no such app')
    expect(row!.due_at.getTime() - world.clock.now().getTime()).toBeGreaterThan(23 * HOUR_MS)
  })
})

function author(id: string, handle: string | null): NonNullable<Post['author']> {
  return {
    id,
    name: null,
    handle,
    url: handle && `https://x.com/${handle}`,
    avatarUrl: null,
    followers: null,
    automated: null,
  }
}
