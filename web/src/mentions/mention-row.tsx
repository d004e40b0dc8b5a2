import { clsx } from 'clsx'
import type { Mention } from '../api/mentions.ts'
import { authorName } from '../app/post/author-name.ts'
import { Intents } from '../app/post/intents.tsx'
import { PlatformGlyph } from '../app/post/platform-glyph.tsx'
import { RelevanceBar } from '../app/post/relevance-bar.tsx'
import { SentimentWord } from '../app/post/sentiment.tsx'
import { StrangerText } from '../app/post/stranger.tsx'
import { aroundFirstMark, placesOf } from '../app/post/term-places.ts'
import { words as postWords } from '../app/post/words.ts'
import { Badge } from '../kit/badge.tsx'
import { formatCount } from '../kit/count.tsx'
import { Stars } from '../kit/stars.tsx'
import { Time } from '../kit/time.tsx'
import styles from './mention-row.module.css'
import { words } from './words.ts'

/** Pixels. */
export const ROW_HEIGHT = 104

interface RowProps {
  mention: Mention
  active: boolean
  selected: boolean
  onSelect: (mention: Mention) => void
}

export function MentionRow({ mention, active, selected, onSelect }: RowProps) {
  const { post, author, keyword } = mention
  const text = aroundFirstMark([post.title, post.text].filter(Boolean).join(' — '), keyword.term)
  return (
    <div className={clsx(styles.row, active && styles.active, selected && styles.selected)}>
      <div className={styles.edge}>
        <PlatformGlyph platform={post.platform} />
        <input
          type="checkbox"
          className={styles.box}
          tabIndex={-1}
          aria-label={words.select}
          checked={selected}
          onChange={() => onSelect(mention)}
          onClick={(event) => event.stopPropagation()}
        />
      </div>
      <div className={styles.content}>
        <div className={styles.head}>
          <b className={styles.author}>
            <bdi>{authorName(author)}</bdi>
          </b>
          {author?.followers != null && <small>{formatCount(author.followers)}</small>}
          <small className={styles.time}>
            <Time at={post.publishedAt} />
          </small>
        </div>
        <p className={styles.text}>
          <StrangerText text={text} places={placesOf(keyword.term, text)} />
        </p>
        <RowFoot mention={mention} />
      </div>
      <RowScore mention={mention} />
    </div>
  )
}

function RowFoot({ mention }: { mention: Mention }) {
  const { classification, keyword, review, triage, delivered } = mention
  return (
    <div className={styles.foot}>
      {classification?.sentiment != null && <SentimentWord sentiment={classification.sentiment} />}
      {review !== null && <Stars rating={review.rating} max={review.ratingMax} />}
      <Intents intents={classification?.intents.slice(0, 2) ?? []} />
      {triage.assignee !== null && <Badge tone="warning">{triage.assignee.name}</Badge>}
      {classification?.uncertain && <small title={words.uncertain}>≈</small>}
      {delivered && <small title={words.delivered}>✓</small>}
      <small className={styles.keyword}>{keyword.term}</small>
    </div>
  )
}

function RowScore({ mention: { classification } }: { mention: Mention }) {
  const relevance = classification?.relevance ?? null
  if (relevance === null) return <small className={styles.score}>—</small>
  return (
    <div className={styles.score}>
      <b>{relevance}</b>
      <RelevanceBar relevance={relevance} />
    </div>
  )
}

/** What a screen reader says of a row. */
export function rowLabel({ author, post, classification, keyword }: Mention): string {
  const name = authorName(author)
  const parts = [name, post.platform, keyword.term, classification?.sentiment, post.title ?? post.text.slice(0, 200)]
  if (classification?.relevance != null) parts.push(postWords.relevanceOf(classification.relevance))
  return parts.filter(Boolean).join(', ')
}
