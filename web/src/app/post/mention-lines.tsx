import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Mention } from '../../api/mentions.ts'
import { Time } from '../../kit/time.tsx'
import { authorName } from './author-name.ts'
import styles from './mention-lines.module.css'
import { PlatformGlyph } from './platform-glyph.tsx'
import { StrangerText } from './stranger.tsx'

export function MentionLines({ children }: { children: ReactNode }) {
  return <ul className={styles.lines}>{children}</ul>
}

interface MentionLineProps extends Pick<Mention, 'id' | 'post' | 'author'> {
  /** What can be done with the mention. */
  children?: ReactNode
}

/** A mention in two lines that lead to it. */
export function MentionLine({ id, post, author, children }: MentionLineProps) {
  return (
    <li className={styles.line}>
      <PlatformGlyph platform={post.platform} />
      <div className={styles.post}>
        <Link href={`/mentions/${id}`} className={styles.text}>
          <StrangerText text={post.title ?? post.text} />
        </Link>
        <small>
          <bdi>{authorName(author)}</bdi> · <Time at={post.publishedAt} />
        </small>
      </div>
      {children}
    </li>
  )
}
