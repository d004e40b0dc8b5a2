import type { Platform } from '../../domain/platform/platforms.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import { readCursor } from '../../store/source/source-state.ts'
import { type PostStream, placeIn } from '../../stream/contract.ts'
import type { CollectMetrics } from './metrics.ts'

export interface LagOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: Pick<CollectMetrics, 'streamBehind' | 'streamLost'>
  stream: Pick<PostStream, 'state'>
}

const LOOK_EVERY_MS = 10 * SECOND_MS

/** Shows in the metrics how far this installation is behind the post stream, until `signal` is aborted. */
export async function watchLag(
  platforms: readonly Platform[],
  options: LagOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const platform of platforms) await showLag(platform, options)
    await options.clock.wait(LOOK_EVERY_MS, signal)
  }
}

async function showLag(platform: Platform, { db, log, metrics, stream }: LagOptions): Promise<void> {
  try {
    const [state, place] = [await stream.state(platform), placeIn(await readCursor(db, platform))]
    if (state === null || place === null) return metrics.streamBehind.remove({ platform })
    metrics.streamBehind.set({ platform }, Math.max(0, state.last - place.number))
    metrics.streamLost.set({ platform }, place.lost)
  } catch (error) {
    metrics.streamBehind.remove({ platform })
    log.info({ event: 'stream.lag_unknown', err: error, platform }, 'The post stream could not be asked for its end')
  }
}
