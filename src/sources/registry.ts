import { bluesky } from './bluesky/source.ts'
import type { Source } from './contract.ts'
import { hackernews } from './hackernews/source.ts'

export interface SourcesOptions {
  bluesky?: {
    /** Hosts of the feed in order of preference (BSKY_JETSTREAM_HOSTS); the public ones when empty or absent. */
    hosts?: readonly string[]
  }
}

/** One of every source that this installation can collect from, in the order of the platforms. */
export function createSources(options: SourcesOptions = {}): readonly Source[] {
  return [bluesky(options.bluesky), hackernews()]
}
