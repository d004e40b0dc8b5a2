import type { Mention } from '../api/mentions.ts'
import { PLATFORM_NAMES } from '../app/platforms.ts'
import { authorName } from '../app/post/author-name.ts'
import { PlatformGlyph } from '../app/post/platform-glyph.tsx'
import { STRANGER_REL, safeAddress } from '../app/post/safe-address.ts'
import { StrangerLink } from '../app/post/stranger.tsx'
import { StrangerPicture } from '../app/post/stranger-picture.tsx'
import { LinkButton } from '../kit/button.tsx'
import { formatCount } from '../kit/count.tsx'
import { External } from '../kit/icons.tsx'
import { formatDuration, Time } from '../kit/time.tsx'
import styles from './author-line.module.css'
import { words } from './words.ts'

/** Who wrote where and when, and how late the post was found. */
export function AuthorLine({ mention: { id, post, author, createdAt } }: { mention: Mention }) {
  const name = <bdi>{authorName(author)}</bdi>
  const original = safeAddress(post.url)
  const delay = Date.parse(createdAt) - Date.parse(post.publishedAt)
  return (
    <header className={styles.line}>
      <PlatformGlyph platform={post.platform} large />
      <StrangerPicture mentionId={id} kind="author" address={author?.avatarUrl} />
      <div className={styles.who}>
        <h2 className={styles.name}>
          <StrangerLink address={author?.url} instead={name}>
            {name}
          </StrangerLink>
        </h2>
        <small className={styles.facts}>
          <span>{PLATFORM_NAMES[post.platform]}</span>
          {author?.followers != null && <span>{words.followers(formatCount(author.followers))}</span>}
          <Time at={post.publishedAt} />
          {delay >= 0 && <span>{words.foundAfter(formatDuration(delay))}</span>}
        </small>
      </div>
      {original !== null && (
        <LinkButton href={original} rel={STRANGER_REL} target="_blank" icon={<External />} keys="v">
          {words.actOriginal}
        </LinkButton>
      )}
    </header>
  )
}
