import { createKeyword } from '../../src/commands/keywords/create-keyword.ts'
import { deleteKeyword } from '../../src/commands/keywords/delete-keyword.ts'
import { startMonth } from '../../src/commands/keywords/start-month.ts'
import { updateKeyword } from '../../src/commands/keywords/update-keyword.ts'
import { ingestPosts } from '../../src/commands/mentions/ingest-posts.ts'
import { recordScores } from '../../src/commands/mentions/record-scores.ts'
import { removePosts } from '../../src/commands/mentions/remove-posts.ts'
import { creditWallet } from '../../src/commands/wallet/credit-wallet.ts'
import { runDay } from '../../src/commands/wallet/daily-run.ts'
import { watchWallets } from '../../src/commands/wallet/watch-wallets.ts'
import type { Services } from '../../src/commands/writing.ts'
import type { MatchedPost } from '../../src/domain/mention/matched-post.ts'
import { postId } from '../../src/domain/post/post-id.ts'
import { isRefusal } from '../../src/domain/refusal/refusal.ts'
import { fromId, type Uuid } from '../../src/kernel/ids.ts'
import { units } from '../../src/kernel/money.ts'
import { readUnscored } from '../../src/store/model/unscored.ts'
import { book } from '../../src/store/wallet/ledger.ts'
import { madeUpPost } from '../makers.ts'
import { VERDICT } from '../mentions.ts'
import type { Operation, Pair } from './model.ts'

const PLATFORM = 'bluesky'
const PLAIN = { kind: 'brand' as const, platforms: [PLATFORM as 'bluesky'], context: null, reviewSources: [] }

/** Does an operation with the real code, as a surface, a stage or a job would, and answers what the caller is told. */
export async function act(services: Services, operation: Operation): Promise<string> {
  switch (operation.kind) {
    case 'run':
      await runDay(services)
      return 'done'
    case 'watch':
      await watchWallets(services)
      return 'done'
    case 'turn':
      await startMonth(services)
      return 'done'
    case 'match':
      await match(services, operation.pairs)
      return 'done'
    case 'score':
      await score(services, operation)
      return 'done'
    case 'forget':
      await services.db.transaction((tx) =>
        removePosts(
          tx,
          operation.posts.map((post) => postId(PLATFORM, post)),
          services.clock.now(),
        ),
      )
      return 'done'
    default:
      return await inWorkspace(services, operation)
  }
}

async function inWorkspace(services: Services, operation: Extract<Operation, { workspace: unknown }>): Promise<string> {
  const writing = { ...services, workspaceId: operation.workspace }
  switch (operation.kind) {
    case 'create': {
      const { term, muted, cap, requestId } = operation
      const input = { term, ...PLAIN, muted, cap: cap === null ? null : { mentions: cap }, requestId }
      const answer = await createKeyword(writing, input)
      if (!isRefusal(answer)) operation.made = fromId('kw', answer.id)
      return codeOf(answer)
    }
    case 'mute':
      return codeOf(await updateKeyword(writing, operation.keyword, { muted: true }))
    case 'unmute':
      return codeOf(await updateKeyword(writing, operation.keyword, { muted: false }))
    case 'cap':
      return codeOf(
        await updateKeyword(writing, operation.keyword, {
          cap: operation.cap === null ? null : { mentions: operation.cap },
        }),
      )
    case 'remove':
      // Of two at once each may be told that it was the one, so that it is gone is all that is compared.
      await deleteKeyword(writing, operation.keyword)
      return 'done'
    case 'credit':
      return await credit(services, operation)
    case 'take':
      return await take(services, operation)
  }
}

type Of<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>

/** One post for each pair; the same post of several keywords comes as one. */
async function match({ db, clock }: Services, pairs: readonly Pair[]): Promise<void> {
  const at = clock.now()
  const posts = new Map<string, MatchedPost & { keywords: { workspaceId: Uuid; keywordId: Uuid; free: boolean }[] }>()
  for (const { workspace, keyword, post, free } of pairs) {
    const matched = posts.get(post) ?? {
      post: { ...madeUpPost(at, 'A post about nothing.'), nativeId: post },
      words: ['post'],
      authorKeys: [],
      keywords: [],
    }
    matched.keywords.push({ workspaceId: workspace, keywordId: keyword, free })
    posts.set(post, matched)
  }
  // Whoever looks next may score them.
  await db.transaction((tx) => ingestPosts(tx, [...posts.values()], { at, metered: true, leasedUntil: at }))
}

async function score({ db }: Services, { at, scores }: Of<'score'>): Promise<void> {
  const refs = scores.map(({ workspace, mentionId }) => ({ workspaceId: workspace, mentionId }))
  const failed = new Set(scores.filter((score) => score.failed).map(({ mentionId }) => mentionId))
  const unscored = await readUnscored(db, refs)
  const verdicts = unscored.map((mention) => ({
    mention,
    verdict: failed.has(mention.mentionId) ? null : VERDICT,
    authorKeys: [],
  }))
  await db.transaction((tx) => recordScores(tx, verdicts, { at, metered: true }))
}

async function credit(services: Services, { workspace, name, amount, key }: Of<'credit'>): Promise<string> {
  const given = { workspaceId: workspace, kind: name, amount: units(amount), key, note: null }
  await services.db.transaction((tx) => creditWallet(tx, services, given))
  return 'done'
}

async function take({ db, clock }: Services, { workspace, name, amount, key }: Of<'take'>): Promise<string> {
  await db.transaction((tx) =>
    book(tx, { workspaceId: workspace, kind: name, amount: units(-amount), key, at: clock.now() }),
  )
  return 'done'
}

function codeOf(answer: unknown): string {
  return isRefusal(answer) ? answer.code : 'done'
}
