import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

export const PICTURES_OF_POSTS = ['post', 'author'] as const
export type PictureOfPost = (typeof PICTURES_OF_POSTS)[number]

/** The address of a picture as the platform gave it; null without one, and for a mention of another workspace. */
export async function readPictureAddress(
  db: Reader,
  { workspaceId, mentionId, picture }: { workspaceId: Uuid; mentionId: Uuid; picture: PictureOfPost },
): Promise<string | null> {
  const [row] = await db.query<{ image: string | null; avatar: string | null }>(sql`
    select p.image_url as image, p.author ->> 'avatarUrl' as avatar from mention m join post p on p.id = m.post_id
      where m.workspace_id = ${workspaceId} and m.id = ${mentionId}`)
  if (row === undefined) return null
  return picture === 'post' ? row.image : row.avatar
}
