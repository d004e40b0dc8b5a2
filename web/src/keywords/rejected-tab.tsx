import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Keyword, listRejected, type RejectedPost } from '../api/keywords.ts'
import { OriginalLink } from '../app/post/original-link.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button, LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { followBy } from '../kit/follow.ts'
import { Skeleton } from '../kit/skeleton.tsx'
import { Time } from '../kit/time.tsx'
import styles from './keywords.module.css'
import { words } from './words.ts'

/** Posts of a page. */
const PAGE = 50

type Reason = RejectedPost['reason']

export function RejectedTab({ keyword }: { keyword: Keyword }) {
  const [reason, setReason] = useState<Reason | null>(null)
  const pages = useInfiniteQuery({
    queryKey: ['keyword', keyword.id, 'rejected'],
    queryFn: ({ pageParam, signal }) =>
      listRejected(keyword.id, { limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  if (pages.data === undefined)
    return pages.error === null ? (
      <Skeleton lines={8} height={56} />
    ) : (
      <RequestFailure error={pages.error} onRetry={() => void pages.refetch()} />
    )
  const posts = pages.data.pages.flatMap(({ data }) => data)
  if (posts.length === 0) return <NothingRejected keyword={keyword} />
  const shown = reason === null ? posts : posts.filter((post) => post.reason === reason)
  return (
    <div className={styles.stack}>
      <p className={styles.quiet}>{words.rejectedNote}</p>
      <ReasonChoice posts={posts} value={reason} onChange={setReason} />
      <Card>
        <ul className={styles.rows}>
          {shown.map((post) => (
            <RejectedRow key={`${post.url} ${post.at}`} keyword={keyword} post={post} />
          ))}
        </ul>
      </Card>
      {pages.error !== null && <RequestFailure error={pages.error} onRetry={() => void pages.fetchNextPage()} />}
      {pages.hasNextPage && (
        <div>
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
    </div>
  )
}

function NothingRejected({ keyword }: { keyword: Keyword }) {
  const [, navigate] = useLocation()
  return (
    <Empty
      title={words.noRejected}
      action={
        <LinkButton href={`/keywords/${keyword.id}/rules`} onClick={followBy(navigate)}>
          {words.openRules}
        </LinkButton>
      }
    >
      {keyword.muted ? words.noRejectedMuted : words.noRejectedHint}
    </Empty>
  )
}

interface ReasonChoiceProps {
  posts: readonly RejectedPost[]
  value: Reason | null
  onChange: (reason: Reason | null) => void
}

function ReasonChoice({ posts, value, onChange }: ReasonChoiceProps) {
  const counts = new Map<Reason, number>()
  for (const { reason } of posts) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return (
    <fieldset className={styles.plain}>
      <legend className={styles.small}>{words.rule}</legend>
      <div className={styles.chips}>
        <Button size="small" aria-pressed={value === null} onClick={() => onChange(null)}>
          {words.allRules(posts.length)}
        </Button>
        {[...counts].map(([reason, count]) => (
          <Button key={reason} size="small" aria-pressed={value === reason} onClick={() => onChange(reason)}>
            {words.byRule(words.rejectedRules[reason], count)}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

function RejectedRow({ keyword, post }: { keyword: Keyword; post: RejectedPost }) {
  const { url, excerpt, reason, publishedAt, at } = post
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p dir="auto">{excerpt}</p>
        <p className={styles.parts}>
          <span>
            {words.published} <Time at={publishedAt} />
          </span>
          <span>
            {words.rejectedAt} <Time at={at} />
          </span>
          <OriginalLink post={post} />
          <Link href={`/keywords/${keyword.id}/explain?url=${encodeURIComponent(url)}`}>{words.explainThis}</Link>
        </p>
      </div>
      <Badge tone="warning">{words.rejectedRules[reason]}</Badge>
    </li>
  )
}
