import { beforeEach, describe, expect, test } from 'vitest'
import {
  makeKeyword,
  makePost,
  matchedBy,
  mention,
  recount,
  score,
  type TestKeyword,
  VERDICT,
  wrongReports,
} from '../../../test/mentions.ts'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { useFreshWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import type { ErasurePlan } from '../../domain/erasure/erasure-plan.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import type { Author, Post } from '../../domain/post/post.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { newUuid, toId } from '../../kernel/ids.ts'
import { exportAuthor } from '../../queries/erasure/export-author.ts'
import { recountKeywords } from '../../queries/keywords/recount-keywords.ts'
import { verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import { sql } from '../../store/database.ts'
import { countHoldings } from '../../store/erasure/author-posts.ts'
import { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { readErasures } from '../../store/erasure/erasures.ts'
import { ingestPosts } from '../mentions/ingest-posts.ts'
import { foldPeople } from '../people/fold-people.ts'
import { mergePeople } from '../people/merge-people.ts'
import { updatePerson } from '../people/update-person.ts'
import { eraseAuthor, finishErasures } from './erase-author.ts'
import { planErasure } from './plan-erasure.ts'

const world = useFreshWorld()

const ADA: Author = {
  id: 'did:plc:adaadaadaadaadaadaadaada',
  name: 'Ada Zyxwv',
  handle: 'ada-zyxwv.example',
  url: 'https://bsky.app/profile/ada-zyxwv.example',
  avatarUrl: 'https://cdn.example/ada-zyxwv.png',
  followers: 12,
  automated: null,
}
const BEN: Author = {
  ...ADA,
  id: 'did:plc:benbenbenbenbenbenbenben',
  name: 'Ben',
  handle: 'ben.example',
  url: null,
  avatarUrl: null,
}
/** What may stand nowhere afterwards. */
const SECRETS = [ADA.id!, 'zyxwv', 'Quokka', 'said by the model']

let acme: TestWorkspace
let other: TestWorkspace
let keywords: TestKeyword[]

async function planned(text: string): Promise<ErasurePlan> {
  const plan = await planErasure(world.services, text)
  if (isRefusal(plan)) throw new Error(plan.message)
  return plan
}

/** A scored mention in a workspace. */
async function says(keyword: TestKeyword, author: Author, change: Partial<Post> = {}) {
  const made = await mention(world, keyword, { author, ...change })
  await score(world, [made], { ...VERDICT, note: author === ADA ? 'said by the model' : 'about Ben' })
  return made
}

/** Tables with the text in any column, bytes included. Lists of single words tell nothing about who said them. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await world.db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('search_word') order by 1`)
  const hex = Buffer.from(text).toString('hex')
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await world.db.query(sql`
      select from ${sql.table(name)} t where strpos(lower(t::text), ${text.toLowerCase()}) > 0
        or strpos(t::text, ${hex}) > 0 limit 1`)
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** Delivers, dismisses and notes whatever has copies of the author's words. */
async function copy(workspace: TestWorkspace, made: { mentionId: string }, text: string): Promise<void> {
  const at = world.clock.now()
  const shown = toId('mtn', made.mentionId as never)
  const digest = {
    top: [
      { id: shown, text },
      { id: 'mtn_other', text: 'kept' },
    ],
    negative: [],
    buyingSignals: [],
  }
  const [channel, inspection] = [newUuid(at), newUuid(at)]
  const { workspaceId } = workspace
  const [sent, summed] = [newUuid(at), newUuid(at)]
  await world.db.query(sql`
    insert into delivery (workspace_id, id, channel_id, kind, event, mention_id, status, created_at)
    values (${workspaceId}, ${sent}, ${channel}, 'mention', 'mention.created', ${made.mentionId}, 'delivered', ${at})`)
  await world.db.query(sql`
    insert into delivery (workspace_id, id, channel_id, kind, event, data, status, created_at, mode, digest_due_at,
      period) values (${workspaceId}, ${summed}, ${channel}, 'digest', 'digest.ready', ${JSON.stringify(digest)}::json,
      'delivered', ${at}, 'daily', ${at}, '2026-11-20')`)
  for (const id of [sent, summed])
    await world.db.query(sql`
      insert into delivery_attempt (workspace_id, delivery_id, number, at, duration_ms, outcome, request,
        response_excerpt) values (${workspaceId}, ${id}, 1, ${at}, 3, 'delivered', ${Buffer.from(`{}\n${text}`)},
        ${text})`)
  await world.db.query(sql`
    insert into inspection (workspace_id, id, name, token_hash, created_at, expires_at, minute_at)
    values (${workspaceId}, ${inspection}, 'x', ${Buffer.from(inspection)}, ${at}, ${at}, ${at})`)
  await world.db.query(sql`
    insert into inspected_request (workspace_id, inspection_id, id, received_at, headers, body, body_bytes, signature)
    values (${workspaceId}, ${inspection}, ${newUuid(at)}, ${at}, '{}', ${Buffer.from(`${shown} ${text}`)}, 9,
      'unknown')`)
  await world.db.query(sql`
    insert into model_verdict (workspace_id, key, relevance, sentiment, intents, automated, confidence, note, made_at)
    values (${workspaceId}, ${Buffer.from(text)}, 80, 1, 0, false, 0.9, 'said by the model', ${at})`)
}

/** Ada and Ben write in two workspaces; everything that may copy their words has done so. */
async function seed(): Promise<void> {
  const replyTo = { author: ADA.handle, url: 'https://bsky.app/x/1', text: 'Quokka again' }
  for (const [place, workspace] of [acme, other].entries()) {
    const keyword = keywords[place]!
    const made = await says(keyword, ADA, { text: `Quokka ${place}` })
    await says(keyword, ADA, { text: 'Quokka waits' })
    await mention(world, keyword, { author: ADA, text: 'Quokka is not scored yet' })
    await says(keyword, BEN, { text: 'Something of Ben' })
    await says(keyword, BEN, { text: 'An answer of Ben', replyTo })
    await foldPeople(world.services)
    await copy(workspace, made, `Quokka ${place} of ada-zyxwv`)
    const [ada, ben] = [ADA, BEN].map((author) => accountIdOf(workspace.workspaceId, 'bluesky', author)!)
    await updatePerson(workspace, ada!, { notes: 'Fond of animals' })
    // In the second workspace both are one person, with the id of Ada's account.
    if (place === 1) await mergePeople(workspace, ada!, ben!)
  }
  const [acmeKeyword] = keywords
  await world.db.query(sql`
    insert into rejected_post (workspace_id, id, keyword_id, post_id, platform, author_id, url, excerpt, reason,
      published_at, created_at) values (${acme.workspaceId}, gen_random_uuid(), ${acmeKeyword!.uuid},
      gen_random_uuid(), 1, ${ADA.id}, 'https://x.example', 'Quokka', 'excluded_term', now(), now())`)
  await world.db.query(sql`
    update rejected_post set platform = (select platform from mention limit 1)`)
  await world.db.query(sql`
    insert into author_identity (platform, handle, id, due_at) values ('bluesky', ${ADA.handle}, ${ADA.id}, now())`)
}

describe('an erased author', () => {
  async function begin() {
    acme = await world.workspace('Acme')
    other = await world.workspace('Other')
    await liftWelcomeLimits(world)
    keywords = [await makeKeyword(acme), await makeKeyword(other)]
    await seed()
  }

  test('is in no table any more, counters agree, money stays and Ben keeps everything', async () => {
    await begin()
    for (const secret of SECRETS) expect(await tablesWith(secret)).not.toEqual([])
    const ben = async () =>
      await world.db.query(sql`
        select p.id, p.body, m.relevance, m.note from post p join mention m on m.post_id = p.id
        where p.author_id = ${BEN.id} order by m.id`)
    const before = await ben()
    const money = await world.db.query(sql`select billable, mention_units from usage_day order by 1, 2`)
    expect(await eraseAuthor(world.services, await planned('bluesky:ada-zyxwv.example'))).toEqual({
      posts: 6,
      mentions: 6,
      workspaces: 2,
    })
    await foldPeople(world.services)
    for (const secret of SECRETS) expect({ secret, in: await tablesWith(secret) }).toEqual({ secret, in: [] })
    expect(await ben()).toEqual(before)
    expect(await world.db.query(sql`select billable, mention_units from usage_day order by 1, 2`)).toEqual(money)
    expect((await verifyLedger(world.db, { metered: true })).differences).toEqual([])
    expect((await recountKeywords(world.db, world.clock.now())).differences).toEqual([])
    for (const { workspaceId } of [acme, other]) {
      const { counters } = await recount(world, workspaceId)
      expect(counters.kept).toEqual(counters.counted)
      expect(await wrongReports(world, workspaceId)).toEqual([])
    }
    expect(await world.db.query(sql`select data from delivery`)).toMatchObject([
      { data: { top: [{ id: 'mtn_other' }] } },
      { data: { top: [{ id: 'mtn_other' }] } },
    ])
  })

  test('leaves a merged person with the other account, and the list of people as long as it is', async () => {
    await begin()
    await eraseAuthor(world.services, await planned(`bluesky:${ADA.id}`))
    await foldPeople(world.services)
    for (const [place, workspace] of [acme, other].entries()) {
      const { data } = (await workspace.api('GET', '/v1/people')).body
      expect(data).toMatchObject([
        { id: toId('aut', accountIdOf(workspace.workspaceId, 'bluesky', BEN)!), name: 'Ben' },
      ])
      expect(data[0].stats.mentions).toBe(2)
      expect(await world.db.query(sql`select notes from person where workspace_id = ${workspace.workspaceId}`)).toEqual(
        [{ notes: place === 1 ? 'Fond of animals' : '' }],
      )
      expect(
        await world.db.query(sql`select people from people_total where workspace_id = ${workspace.workspaceId}`),
      ).toEqual([{ people: 1 }])
    }
  })

  test('does not come back, nor do answers show what they wrote, and others do', async () => {
    await begin()
    await eraseAuthor(world.services, await planned(ADA.url!))
    const erased = new ErasedAuthors(world.services.sealer)
    const ingest = (post: Post) =>
      world.db.transaction((tx) =>
        ingestPosts(tx, [matchedBy(post, [keywords[0]!])], {
          at: world.clock.now(),
          metered: true,
          leasedUntil: plus(world.clock.now(), SECOND_MS),
          erased,
        }),
      )
    expect(await ingest(makePost(world, { author: ADA }))).toEqual([])
    // Only a handle: from a source that knows no ids.
    expect(await ingest(makePost(world, { author: { ...ADA, id: null, handle: 'ADA-zyxwv.example' } }))).toEqual([])
    for (const [count, author] of ['@Ada-Zyxwv.example', ADA.id].entries()) {
      const replyTo = { author, url: 'https://x.example', text: 'Q' }
      const text = `One more answer, ${count}`
      expect(await ingest(makePost(world, { author: BEN, text, replyTo }))).toHaveLength(1)
      expect(await world.db.query(sql`select reply_to from post where body = ${text}`)).toEqual([
        { reply_to: { author: null, url: null, text: null } },
      ])
    }
  })

  test('is erased whole after crashes at every step', async () => {
    await begin()
    let left = 2
    const transaction: typeof world.db.transaction = (work) => {
      left -= 1
      return left === 0 ? Promise.reject(new Error('crash')) : world.db.transaction(work)
    }
    const services = { ...world.services, db: { ...world.db, transaction } }
    const ended = (work: Promise<unknown>) =>
      work.then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('crash')
          return false
        },
      )
    expect(await ended(eraseAuthor(services, await planned('bluesky:ada-zyxwv.example')))).toBe(false)
    let crashes = 1
    for (left = 1; !(await ended(finishErasures(services))); left = crashes) {
      expect(await readErasures(world.db)).toHaveLength(1)
      crashes += 1
    }
    expect(crashes).toBeGreaterThan(3)
    expect(await readErasures(world.db)).toEqual([])
    await foldPeople(world.services)
    for (const secret of SECRETS) expect({ secret, in: await tablesWith(secret) }).toEqual({ secret, in: [] })
    expect((await recountKeywords(world.db, world.clock.now())).differences).toEqual([])
  })

  test('is told what is held, without names of workspaces', async () => {
    await begin()
    const lines: Record<string, unknown>[] = []
    for await (const line of exportAuthor(world.db, await planned('bluesky:ada-zyxwv.example'), world.clock.now()))
      lines.push(line)
    expect(lines.map(({ type }) => type)).toEqual(['author', ...Array(6).fill('post'), 'profile', 'profile'])
    const text = JSON.stringify(lines)
    for (const told of ['Quokka 0', 'Quokka 1', 'said by the model', 'Fond of animals']) expect(text).toContain(told)
    for (const secret of ['Acme', 'Other', acme.orgId, keywords[0]!.shown.term, 'Ben'])
      expect(text).not.toContain(secret)
  })
})

describe('naming an author', () => {
  beforeEach(async () => {
    acme = await world.workspace('Acme')
    await liftWelcomeLimits(world)
    const keyword = await makeKeyword(acme)
    const handle = 'twice.example'
    await mention(world, keyword, { author: { ...BEN, handle } })
    await mention(world, keyword, { author: { ...ADA, handle } })
    await mention(world, keyword, { author: ADA })
    await mention(world, keyword, { platform: 'hackernews', author: { ...BEN, id: 'pg', handle: 'pg' } })
  })

  test('a handle that two accounts had is refused, and an id is one of them with every handle', async () => {
    const refused = await planErasure(world.services, 'bluesky:twice.example')
    expect(refused).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`${ADA.id} (twice.example, 1 post)`),
    })
    expect(await planned(`bluesky:${ADA.id}`)).toMatchObject({
      ids: [ADA.id],
      keys: [`id ${ADA.id}`, `handle ${ADA.handle}`],
    })
  })

  test('a display name means nobody, and neither does part of a handle', async () => {
    for (const name of ['bluesky:Ben', 'bluesky:@twice', 'hackernews:p'])
      expect(await countHoldings(world.db, await planned(name))).toMatchObject({ posts: 0 })
    for (const name of ['hackernews:pg', 'https://news.ycombinator.com/user?id=PG'])
      expect(await planned(name)).toMatchObject({ platform: 'hackernews', ids: ['pg'] })
  })

  test.each([
    ['pg', 'must name the platform'],
    ['', 'is empty'],
    ['bluesky:https://github.com/ada', 'names an author at github and not at bluesky'],
    ['https://news.ycombinator.com/item?id=123', 'is the link of a post'],
  ])('%j is refused', async (given, reason) =>
    expect(await planErasure(world.services, given)).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(`AUTHOR: ${reason}`),
    }),
  )

  test('somebody of whom nothing is stored is not stored later', async () => {
    const dave = { ...BEN, id: 'dave', handle: 'dave' }
    await eraseAuthor(world.services, await planned('https://news.ycombinator.com/user?id=dave'))
    const erased = new ErasedAuthors(world.services.sealer)
    await erased.refresh(world.db)
    expect(erased.admitted(makePost(world, { platform: 'hackernews', author: dave }))).toBeNull()
    expect(erased.admitted(makePost(world, { platform: 'lobsters', author: dave }))).not.toBeNull()
  })
})
