import { Link } from 'wouter'
import type { Mention } from '../api/mentions.ts'
import { PLATFORM_NAMES } from '../app/platforms.ts'
import { RelevanceBar } from '../app/post/relevance-bar.tsx'
import { SentimentWord } from '../app/post/sentiment.tsx'
import { StrangerText } from '../app/post/stranger.tsx'
import { words as postWords } from '../app/post/words.ts'
import { Time } from '../kit/time.tsx'
import styles from './mention-step.module.css'
import { TrialOffer } from './trial-offer.tsx'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

/** Waits for the first mention; a rare term gets the offer of a busy one. */
export function MentionWait() {
  const { visit } = useVisit()
  const term = visit.keyword?.term
  return (
    <>
      <p className={styles.waiting}>{term === undefined ? words.waitingForAny : words.waitingFor(term)}</p>
      <TrialOffer reason={words.rareTerm} />
    </>
  )
}

export function foundAfterSeconds({ createdAt, post }: Pick<Mention, 'createdAt' | 'post'>): number {
  return Math.max(0, Math.round((Date.parse(createdAt) - Date.parse(post.publishedAt)) / 1000))
}

/** The mention as it came in. */
export function ArrivedMention({ mention }: { mention: Mention }) {
  const { post, author, keyword, classification } = mention
  return (
    <article className={styles.mention}>
      <div className={styles.facts}>
        <b>{PLATFORM_NAMES[post.platform]}</b>
        {author?.name != null && <StrangerText text={author.name} />}
        <StrangerText text={keyword.term} />
        <Time at={post.publishedAt} />
      </div>
      <p className={styles.text}>
        <StrangerText text={post.title === null ? post.text : `${post.title}\n${post.text}`} />
      </p>
      <div className={styles.facts}>
        {classification !== null && <Score classification={classification} />}
        <span>{words.foundAfter(foundAfterSeconds(mention))}</span>
        <Link href={`/mentions/${mention.id}`}>{words.openMention}</Link>
      </div>
    </article>
  )
}

function Score({ classification }: { classification: NonNullable<Mention['classification']> }) {
  const { relevance, sentiment } = classification
  return (
    <>
      {relevance === null ? (
        <span>{words.unclassified}</span>
      ) : (
        <span className={styles.relevance}>
          <span className={styles.bar}>
            <RelevanceBar relevance={relevance} />
          </span>
          {postWords.relevanceOf(relevance)}
        </span>
      )}
      {sentiment !== null && <SentimentWord sentiment={sentiment} />}
    </>
  )
}
