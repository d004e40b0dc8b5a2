import { plus } from '../../kernel/clock.ts'
import type { SourceLease } from '../../store/source/source-leases.ts'
import { type DueQuery, notePolled, type Polled } from '../../store/source/source-queries.ts'
import { notePoll } from '../../store/source/source-state.ts'
import type { CollectorOptions } from './collect.ts'
import { baseMs, dueAfter } from './intervals.ts'
import { type AdmittedLookBack, countOlder } from './look-back.ts'
import type { PolledSource, QueriedSource } from './polled-source.ts'

/**
 * `over`: read to the end. `cut`: more than one poll reads; terms are then queried singly. `broken`: not read to the
 * end.
 */
export type End = 'over' | 'cut' | 'broken'

export async function storeAnswer(
  source: PolledSource,
  { matched, claims }: AdmittedLookBack,
  asked: QueriedSource & { end: End },
  lease: SourceLease,
  options: CollectorOptions,
): Promise<number> {
  const { queries, looking, at, end } = asked
  const { platform } = source
  const found = new Set<string>()
  const newestAt = newestOf(matched)
  const isAgain = isAskedAgain(asked)
  if (end === 'cut' && !isAgain)
    options.log.warn(
      { event: 'source.poll_overflowed', platform, term: queries[0]!.term },
      'A poll found more posts than it reads; the oldest were skipped',
    )
  return await options.store.storePoll(platform, lease, matched, async (tx, made, last) => {
    for (const { keywordId } of made) found.add(claims.get(keywordId)!.key)
    if (source.mode !== 'page') await countOlder(tx, source, made, claims, at)
    if (!last || end === 'broken') return
    const polled = queries.map((query) => polledOf(source, query, found.has(query.key), asked))
    await notePolled(tx, platform, { polled, lookedBack: isAgain ? [] : looking, at })
    if (source.mode !== 'stream') await notePoll(tx, platform, found.size, at, newestAt)
  })
}

function isAskedAgain({ queries, end }: { queries: readonly DueQuery[]; end: End }): boolean {
  return end === 'cut' && queries.length > 1
}

function polledOf(source: PolledSource, query: DueQuery, found: boolean, asked: QueriedSource & { end: End }): Polled {
  const { at } = asked
  return {
    key: query.key,
    readUntil: isAskedAgain(asked) ? null : at,
    found,
    dueAt: nextTurn(source, query, found, at),
    turnAt: source.mode === 'stream' ? null : plus(at, baseMs(source)),
  }
}

function newestOf(matched: AdmittedLookBack['matched']): Date | null {
  return matched.reduce<Date | null>(
    (newest, { post }) => (newest && newest > post.publishedAt ? newest : post.publishedAt),
    null,
  )
}

/** A feed is queried once, to look back. A page is queried once a day, whatever it returns. */
function nextTurn(source: PolledSource, { emptyPolls }: DueQuery, found: boolean, at: Date): Date | null {
  if (source.mode === 'stream') return null
  return dueAfter(at, baseMs(source), found || source.mode === 'page' ? 0 : emptyPolls + 1, Math.random())
}
