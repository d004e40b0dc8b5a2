import { toId } from '../../src/kernel/ids.ts'
import { findingOf } from './finding.ts'
import { removedIds } from './moving.ts'
import type { Evidence, Receipts, StoredMention } from './records.ts'

/** Compares what the hooks received with what the rules demanded. */
export function judgeDeliveries(
  { seeded, changes, disturbances }: Evidence,
  mentions: readonly StoredMention[],
  receipts: Receipts,
) {
  const rules = new Map(seeded.workspaces.map(({ id, hooks }) => [id, hooks]))
  const demanded = new Set<string>()
  for (const { workspaceId, mentionId, relevance, failed } of mentions) {
    for (const { hook, minRelevance } of rules.get(workspaceId)!) {
      if (!failed && relevance !== null && relevance >= minRelevance) demanded.add(`${hook} ${toId('mtn', mentionId)}`)
    }
  }
  const removed = removedIds(changes)
  const received = new Set<string>()
  const doubled: string[] = []
  const stray: string[] = []
  const unexplained: string[] = []
  let repeatedRequests = 0
  for (const [deliveryId, { hook, mentionId, keywordId, atMs }] of receipts) {
    const key = `${hook} ${mentionId}`
    if (received.has(key)) doubled.push(`mention ${mentionId} to hook ${hook}, also as ${deliveryId}`)
    received.add(key)
    // What was removed had its deliveries until then.
    if (!demanded.has(key) && !removed.has(keywordId))
      stray.push(`mention ${mentionId} to hook ${hook} as ${deliveryId}`)
    repeatedRequests += atMs.length - 1
    // The first one was accepted, but what became of it was lost before it was written down.
    const explained = (at: number) =>
      disturbances.some(({ fromMs, toMs }) => fromMs <= atMs[at + 1]! && toMs >= atMs[at]!)
    if (!atMs.slice(1).every((_, at) => explained(at))) unexplained.push(`${deliveryId} at ${atMs.join(' ')}`)
  }
  const lost = [...demanded].filter((key) => !received.has(key))
  return {
    demandedDeliveries: demanded.size,
    lostDeliveries: findingOf(lost),
    strayDeliveries: findingOf(stray),
    doubledDeliveries: findingOf(doubled),
    repeatedRequests,
    unexplainedRepeats: findingOf(unexplained),
  }
}
