import type { Mention } from '../api/mentions.ts'
import { Intents } from '../app/post/intents.tsx'
import { STRANGER_REL, safeAddress } from '../app/post/safe-address.ts'
import { StrangerText } from '../app/post/stranger.tsx'
import { StrangerPicture } from '../app/post/stranger-picture.tsx'
import { type Place, placesOf } from '../app/post/term-places.ts'
import { Badge } from '../kit/badge.tsx'
import { formatCount } from '../kit/count.tsx'
import { languageName } from '../kit/names.ts'
import { Stars } from '../kit/stars.tsx'
import styles from './post-text.module.css'
import { words } from './words.ts'

/** Exact places of the term by field, from the explanation; null until somebody asks for it. */
export type ExplainedPlaces = Readonly<Record<string, readonly Place[]>> | null

export function PostText({ mention, explained }: { mention: Mention; explained: ExplainedPlaces }) {
  const { post, review, keyword } = mention
  const places = (field: 'title' | 'text', text: string) => explained?.[field] ?? placesOf(keyword.term, text)
  return (
    <article className={styles.post}>
      {post.replyTo?.author && <p className={styles.reply}>{words.replyTo(post.replyTo.author)}</p>}
      {post.replyTo?.text && (
        <blockquote className={styles.quote}>
          <StrangerText text={post.replyTo.text} />
        </blockquote>
      )}
      {post.title !== null && (
        <h3 className={styles.title}>
          <StrangerText text={post.title} places={places('title', post.title)} />
        </h3>
      )}
      <p className={styles.text}>
        <StrangerText text={post.text} places={places('text', post.text)} />
      </p>
      <StrangerPicture mentionId={mention.id} kind="post" address={post.imageUrl} />
      {review?.response != null && (
        <blockquote className={styles.quote}>
          <small>{words.reviewAnswer}</small>
          <StrangerText text={review.response} />
        </blockquote>
      )}
      <PostLinks links={post.links} />
      <PostFacts mention={mention} />
    </article>
  )
}

function PostLinks({ links }: { links: readonly string[] }) {
  const safe = links.map(safeAddress).filter((address) => address !== null)
  if (safe.length === 0) return null
  return (
    <ul className={styles.links} aria-label={words.links}>
      {safe.map((address) => (
        <li key={address}>
          <a href={address} rel={STRANGER_REL} target="_blank">
            {address.replace(/^https?:\/\//, '')}
          </a>
        </li>
      ))}
    </ul>
  )
}

function PostFacts({ mention: { post, review, classification } }: { mention: Mention }) {
  const engagement = Object.entries(post.engagement ?? {}).filter(([, count]) => count !== null && count !== 0)
  return (
    <div className={styles.facts}>
      {review !== null && <Stars rating={review.rating} max={review.ratingMax} />}
      {engagement.map(([kind, count]) => (
        <span key={kind}>
          {formatCount(count as number)} {words.engagement[kind as keyof typeof words.engagement]}
        </span>
      ))}
      {classification?.language != null && <span>{languageName(classification.language)}</span>}
      {classification?.automated && <Badge tone="neutral">{words.automated}</Badge>}
      <Intents intents={classification?.intents ?? []} />
    </div>
  )
}
