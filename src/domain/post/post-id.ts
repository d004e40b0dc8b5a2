import { type Uuid, uuidFromName } from '../../kernel/ids.ts'
import type { Post } from './post.ts'

/** The one id of a post, whoever collected it and however often. */
export function postId(platform: Post['platform'], nativeId: string): Uuid {
  return uuidFromName('post', platform, nativeId)
}
