import { isLive, type Source } from '../sources/contract.ts'
import type { PostStream } from '../stream/contract.ts'
import type { Settings } from './settings.ts'

/** Null without POST_STREAM_URL. Connects when it is first used. */
export async function openPostStream({ postStream }: Pick<Settings, 'postStream'>): Promise<PostStream | null> {
  if (postStream === null) return null
  const { NatsLog } = await import('../stream/nats/nats-log.ts')
  const { createPostStream } = await import('../stream/post-stream.ts')
  return createPostStream(new NatsLog(postStream))
}

/** Live platforms are read from the stream where there is one. */
export function throughStream(source: Source, stream: PostStream | null): Source {
  return stream !== null && isLive(source) ? stream.followed(source) : source
}
