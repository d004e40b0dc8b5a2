import { type CollectContext, SourceFault } from './contract.ts'

/** The caller gives all requests a few seconds. */
export const ENRICHMENTS_AT_ONCE = 4

/**
 * Optional requests, a few in flight, in the order of `wanted`. Starts none after a fault or an abort. Throws the fault
 * only if nothing was answered before, else logs it.
 */
export async function askAtOnce<Wanted>(
  context: CollectContext,
  wanted: readonly Wanted[],
  ask: (item: Wanted) => Promise<void>,
): Promise<void> {
  const { log, signal } = context
  const waiting = [...wanted].reverse()
  let answered = 0
  let failed: { error: unknown } | null = null
  await Promise.all(Array.from({ length: Math.min(ENRICHMENTS_AT_ONCE, wanted.length) }, work))
  if (failed === null || signal.aborted) return
  const { error } = failed as { error: unknown }
  if (!(error instanceof SourceFault) || answered === 0) throw error
  log.warn(
    { event: 'enrichment.incomplete', err: error, fault: error.kind, answered, unanswered: wanted.length - answered },
    'Enrichment is incomplete',
  )

  async function work(): Promise<void> {
    while (failed === null && !signal.aborted && waiting.length > 0) {
      try {
        await ask(waiting.pop() as Wanted)
        answered += 1
      } catch (error) {
        failed ??= { error }
      }
    }
  }
}
