import { randomUUID } from 'node:crypto'
import { createAlert } from '../src/commands/alerts/create-alert.ts'
import { createApiKey } from '../src/commands/api-keys/create-api-key.ts'
import { createChannel } from '../src/commands/channels/create-channel.ts'
import { createInspection } from '../src/commands/channels/inspections/create-inspection.ts'
import { createGroup } from '../src/commands/groups/create-group.ts'
import { createKeyword } from '../src/commands/keywords/create-keyword.ts'
import { inviteMember } from '../src/commands/members/invite-member.ts'
import { ingestPosts } from '../src/commands/mentions/ingest-posts.ts'
import { recordScores } from '../src/commands/mentions/record-scores.ts'
import { foldPeople } from '../src/commands/people/fold-people.ts'
import { createSegment } from '../src/commands/segments/create-segment.ts'
import { createView } from '../src/commands/views/create-view.ts'
import type { WritingContext } from '../src/commands/writing.ts'
import { accountIdOf } from '../src/domain/person/account.ts'
import type { Post } from '../src/domain/post/post.ts'
import { isRefusal, type Refusal } from '../src/domain/refusal/refusal.ts'
import { fromId, type IdPrefix, newUuid, toId, type Uuid } from '../src/kernel/ids.ts'
import { suppress } from '../src/store/channel/suppressions.ts'
import { sql } from '../src/store/database.ts'
import { insertWorkspacePlace } from '../src/store/source/workspace-places.ts'
import { makeMailChannel } from './mail-channel.ts'
import { createPerson } from './people.ts'
import { makeAttentionItem, makeDelivery } from './rows.ts'

export type Makers = ReadonlyMap<IdPrefix, () => Promise<string>>

/**
 * How to make one thing of each kind whose id an operation takes, for tests that walk the catalogue. An operation that
 * takes ids of a new kind needs an entry here.
 */
export function makersFor(writing: WritingContext): Makers {
  const watched = once(() => makeKeyword(writing, false))
  const channel = once(() => makeChannel(writing))
  return new Map<IdPrefix, () => Promise<string>>([
    ['grp', async () => accepted(await createGroup(writing, { name: `Group ${randomUUID()}` })).id],
    ['key', async () => accepted(await createApiKey(writing, { name: 'Key', scope: 'read', expiresAt: null })).id],
    // Muted, because every running keyword needs its share of the balance.
    ['kw', () => makeKeyword(writing, true)],
    ['mtn', async () => makeMention(writing, stored('kw', await watched()))],
    ['dest', () => makeChannel(writing)],
    ['feed', async () => makeAlert(writing, stored('dest', await channel()))],
    ['vw', async () => accepted(await createView(writing, { name: `View ${randomUUID()}`, filter: {} })).id],
    ['aut', async () => makeAuthor(writing, stored('kw', await watched()))],
    ['seg', async () => accepted(await createSegment(writing, { name: `Segment ${randomUUID()}`, filter: {} })).id],
    ['dlv', async () => makeFailedDelivery(writing, stored('dest', await channel()))],
    ['mem', () => makeMember(writing)],
    ['user', async () => toId('user', (await createPerson(writing, writing.workspaceId, 'member')).userId)],
    ['src', async () => makeNamedSource(writing)],
    ['insp', async () => accepted(await createInspection(writing, { name: 'Inbox' })).id],
    ['inv', () => makeInvitation(writing)],
    ['sup', () => makeSuppression(writing)],
    ['att', async () => makeNoisyKeyword(writing, stored('kw', await watched()))],
  ])
}

/** Of a recipient of a channel of its own. */
async function makeSuppression({ db, clock, workspaceId }: WritingContext): Promise<string> {
  const at = clock.now()
  const email = `${randomUUID()}@bounced.example`
  await makeMailChannel({ db, clock, workspaceId }, [{ email, confirmedAt: at.toISOString() }])
  await db.transaction((tx) => suppress(tx, [email], 'bounce', at))
  const [row] = await db.query<{ id: Uuid }>(sql`select id from email_suppression where email = ${email}`)
  return toId('sup', row!.id)
}

async function makeNamedSource({ db, clock, workspaceId }: WritingContext): Promise<string> {
  const id = newUuid(clock.now())
  const address = `https://${randomUUID()}.example/feed`
  const place = { id, workspaceId, platform: 'feeds' as const, address, title: null, at: clock.now() }
  await db.transaction((tx) => insertWorkspacePlace(tx, place))
  return toId('src', id)
}

/** The result of a command that a test relies on. */
export function accepted<Result>(result: Result): Exclude<Result, Refusal> {
  if (isRefusal(result)) throw new Error(`a command refused: ${result.code}: ${result.message}`)
  return result as Exclude<Result, Refusal>
}

/** The stored form of an id that an answer showed. */
export function stored(prefix: IdPrefix, id: string): Uuid {
  const uuid = fromId(prefix, id)
  if (uuid === null) throw new Error(`${id} is no id that starts with ${prefix}_`)
  return uuid
}

/** A post that a test makes up; nothing in it is taken from anywhere. */
export function madeUpPost(at: Date, text: string): Post {
  return {
    platform: 'bluesky',
    nativeId: randomUUID(),
    url: 'https://bsky.app/profile/somebody.example/post/1',
    title: null,
    text,
    imageUrl: null,
    links: [],
    publishedAt: at,
    languageHint: 'en',
    engagement: null,
    replyTo: null,
    author: {
      id: 'did:plc:somebody',
      name: 'Somebody',
      handle: 'somebody.example',
      url: null,
      avatarUrl: null,
      followers: 10,
      automated: null,
    },
    review: null,
  }
}

async function makeKeyword(writing: WritingContext, muted: boolean): Promise<string> {
  const term = `term ${randomUUID()}`
  return accepted(
    await createKeyword(writing, {
      term,
      kind: 'brand',
      muted,
      platforms: null,
      context: null,
      cap: null,
      reviewSources: [],
    }),
  ).id
}

async function makeMention({ db, clock, workspaceId }: WritingContext, keywordId: Uuid): Promise<string> {
  const at = clock.now()
  const matched = {
    post: madeUpPost(at, 'A post about nothing.'),
    words: ['post', 'nothing'],
    authorKeys: ['somebody.example'],
    keywords: [{ workspaceId, keywordId }],
  }
  const [mention] = await db.transaction((tx) => ingestPosts(tx, [matched], { at, metered: true, leasedUntil: at }))
  if (mention === undefined) throw new Error('a matched post made no mention')
  return toId('mtn', mention.mentionId)
}

/** Somebody of whom one mention is scored. */
async function makeAuthor({ db, clock, workspaceId }: WritingContext, keywordId: Uuid): Promise<string> {
  const at = clock.now()
  const made = madeUpPost(at, 'A post about nothing.')
  const post = { ...made, author: { ...made.author!, id: `did:plc:${randomUUID()}` } }
  const matched = { post, words: ['post', 'nothing'], authorKeys: [], keywords: [{ workspaceId, keywordId }] }
  await db.transaction(async (tx) => {
    const mentions = await ingestPosts(tx, [matched], { at, metered: true, leasedUntil: at })
    const scores = mentions.map((mention) => ({ mention, verdict: null, authorKeys: [] }))
    await recordScores(tx, scores, { at, metered: true })
  })
  await foldPeople({ db })
  return toId('aut', accountIdOf(workspaceId, post.platform, post.author)!)
}

async function makeChannel(writing: WritingContext): Promise<string> {
  return accepted(await createChannel(writing, { kind: 'webhook', url: `https://receiver.example/${randomUUID()}` })).id
}

async function makeAlert(writing: WritingContext, channelId: Uuid): Promise<string> {
  return accepted(
    await createAlert(writing, {
      name: 'Rule',
      mode: 'instant',
      event: 'mention.matched',
      filter: {},
      channelIds: [channelId],
      enabled: true,
    }),
  ).id
}

async function makeFailedDelivery({ db, clock, workspaceId }: WritingContext, channelId: Uuid): Promise<string> {
  const failed = { kind: 'mention', event: 'mention.matched', status: 'failed', attempts: 5, at: clock.now() } as const
  return toId('dlv', await makeDelivery({ db }, workspaceId, channelId, failed))
}

async function makeMember(writing: WritingContext): Promise<string> {
  const { userId } = await createPerson(writing, writing.workspaceId, 'member')
  const [member] = await writing.db.query<{ id: Uuid }>(
    sql`select id from membership where workspace_id = ${writing.workspaceId} and user_id = ${userId}`,
  )
  return toId('mem', member!.id)
}

async function makeInvitation(writing: WritingContext): Promise<string> {
  const { userId } = await createPerson(writing, writing.workspaceId, 'owner')
  return accepted(
    await inviteMember(writing, userId, { email: `invited-${randomUUID()}@people.example`, role: 'member' }),
  ).invitation.id
}

/** An open item, as the hourly check leaves it. */
async function makeNoisyKeyword({ db, clock, workspaceId }: WritingContext, keywordId: Uuid): Promise<string> {
  const at = clock.now()
  const data = { keyword: { id: toId('kw', keywordId), term: 'term' }, scored: 20, relevant: 1 }
  // One at a time: a second one about the same would not open.
  await db.query(
    sql`update attention_item set resolved_at = ${at} where workspace_id = ${workspaceId} and subject_id = ${keywordId}
        and resolved_at is null`,
  )
  return toId(
    'att',
    await makeAttentionItem({ db }, workspaceId, { kind: 'keyword.noisy', subjectId: keywordId, data, at }),
  )
}

function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined
  return () => {
    made ??= make()
    return made
  }
}
