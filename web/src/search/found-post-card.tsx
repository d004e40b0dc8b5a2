import { useState } from 'react'
import type { FoundPost } from '../api/search.ts'
import { authorName } from '../app/post/author-name.ts'
import { OriginalLink } from '../app/post/original-link.tsx'
import { StrangerText } from '../app/post/stranger.tsx'
import { excerptAround, placesOf } from '../app/post/term-places.ts'
import { words as postWords } from '../app/post/words.ts'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { External } from '../kit/icons.tsx'
import { Time } from '../kit/time.tsx'
import styles from './found-post-card.module.css'
import { words } from './words.ts'

/** Characters that fit into the lines that are shown at first. */
const LONG = 280

export function FoundPostCard({ found, term }: { found: FoundPost; term: string }) {
  const { post, matched, reason } = found
  return (
    <article className={styles.post} data-dropped={!matched || undefined}>
      <header className={styles.head}>
        <AuthorLine found={found} />
        <span className={styles.when}>
          <Time at={post.publishedAt} />
        </span>
        <OriginalLink post={post} className={styles.original}>
          <External />
        </OriginalLink>
        <Badge tone={matched ? 'positive' : 'neutral'}>{matched ? words.matched : words.dropped}</Badge>
      </header>
      {post.title !== null && (
        <h4 className={styles.title} dir="auto">
          <Marked text={post.title} term={term} />
        </h4>
      )}
      <PostText text={post.text} term={term} />
      {reason !== null && (
        <p className={styles.reason} dir="auto">
          {postWords.because(reason)}
        </p>
      )}
    </article>
  )
}

function AuthorLine({ found: { author } }: { found: FoundPost }) {
  if (author === null) return <span className={styles.author}>{authorName(null)}</span>
  const { name, handle, followers } = author
  return (
    <span className={styles.author}>
      <bdi>
        <b>{authorName(author)}</b>
      </bdi>
      {name !== null && handle !== null && handle !== name && <bdi className={styles.quiet}>{handle}</bdi>}
      {followers !== null && <span className={styles.quiet}>{words.followers(followers)}</span>}
    </span>
  )
}

function PostText({ text, term }: { text: string; term: string }) {
  const [whole, setWhole] = useState(false)
  if (text === '') return null
  return (
    <>
      <p className={styles.text} data-whole={whole || undefined} dir="auto">
        <Marked text={whole ? text : excerptAround(text, term, LONG)} term={term} />
      </p>
      {text.length > LONG && (
        <Button size="small" variant="quiet" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? words.less : words.more}
        </Button>
      )}
    </>
  )
}

function Marked({ text, term }: { text: string; term: string }) {
  return <StrangerText text={text} places={placesOf(term, text)} />
}
