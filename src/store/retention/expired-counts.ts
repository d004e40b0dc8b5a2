import { isRelevant } from '../../domain/mention/classification.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type RemovedMention, uncountRecentDays } from '../counts/removed-mentions.ts'
import { sql, type Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'

type Expired = readonly [keywordId: Uuid, mentions: readonly RemovedMention[]]

function count(mentions: readonly RemovedMention[], isCounted: (mention: RemovedMention) => boolean): number {
  return mentions.filter(isCounted).length
}

const EXPIRED = new GivenRows<Expired>({
  workspace_id: given.uuid(([, mentions]) => mentions[0]!.workspace_id),
  keyword_id: given.uuid(([keywordId]) => keywordId),
  mentions: given.integer(([, mentions]) => mentions.length),
  relevant: given.integer(([, mentions]) => count(mentions, ({ relevance }) => isRelevant(relevance))),
  scored: given.integer(([, mentions]) => count(mentions, (mention) => mention.scored_on !== null)),
  scored_relevant: given.integer(([, mentions]) =>
    count(mentions, (mention) => mention.scored_on !== null && isRelevant(mention.relevance)),
  ),
  feedback_relevant: given.integer(([, mentions]) => count(mentions, (mention) => mention.feedback_relevant === true)),
  feedback_not_relevant: given.integer(([, mentions]) =>
    count(mentions, (mention) => mention.feedback_relevant === false),
  ),
  last_mention_at: given.instant(
    ([, mentions]) => new Date(Math.max(...mentions.map((mention) => mention.published_at.getTime()))),
  ),
})

/**
 * Notes what counters still contain. The caller holds the counters. Feedback must be read anew, because some may be
 * gone.
 */
export async function countExpired(tx: Transaction, workspaceId: Uuid, gone: readonly RemovedMention[]): Promise<void> {
  if (gone.length === 0) return
  const byKeyword = [...groupBy(gone, (mention) => mention.keyword_id)]
  await tx.run(
    'count-expired',
    `insert into keyword_expired as e (${EXPIRED.names})
     select ${EXPIRED.selected} from ${EXPIRED.unnested} order by keyword_id
     on conflict (workspace_id, keyword_id) do update set
       mentions = e.mentions + excluded.mentions, relevant = e.relevant + excluded.relevant,
       scored = e.scored + excluded.scored, scored_relevant = e.scored_relevant + excluded.scored_relevant,
       feedback_relevant = e.feedback_relevant + excluded.feedback_relevant,
       feedback_not_relevant = e.feedback_not_relevant + excluded.feedback_not_relevant,
       last_mention_at = greatest(e.last_mention_at, excluded.last_mention_at)`,
    EXPIRED.values(byKeyword),
  )
  const marked = new Set(gone.flatMap((item) => (item.feedback_relevant === null ? [] : [item.keyword_id])))
  await tx.query(sql`
    update keyword_counter set marks_version = marks_version + 1 where workspace_id = ${workspaceId}
      and keyword_id = any(${[...marked]}::uuid[]) and marks_version > 0`)
  await uncountRecentDays(tx, gone)
}
