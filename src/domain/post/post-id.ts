import { type Uuid, uuidFromName } from '../../kernel/ids.ts'
import type { Post } from './post.ts'

/** The same for every source and collection. */
export function postId(platform: Post['platform'], nativeId: string): Uuid {
  return uuidFromName('post', platform, nativeId)
}
