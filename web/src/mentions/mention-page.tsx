import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { isGone } from '../api/errors.ts'
import { getMention } from '../api/mentions.ts'
import { useTitle } from '../app/page.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { useLive } from '../app/use-live.ts'
import { Empty } from '../kit/empty.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import { ActionBar } from './action-bar.tsx'
import { mentionKey } from './mention-cache.ts'
import styles from './mention-page.module.css'
import { MentionView, useFolding } from './mention-view.tsx'
import { useMentionActions } from './use-mention-actions.tsx'
import { words } from './words.ts'

/** One mention by its address, which messages link to. */
export default function MentionPage({ params }: { params: Readonly<Record<string, string>> }) {
  const id = params['mention'] ?? ''
  const { data, error, refetch } = useQuery({
    queryKey: mentionKey(id),
    queryFn: ({ signal }) => getMention(id, signal),
  })
  useTitle(data?.keyword.term ?? words.mention)
  useLive(['mention.triaged', 'mention.scored'], ({ ids }) => {
    if (ids === null || ids.includes(id)) void refetch()
  })
  const folding = useFolding()
  const { actions, dialog } = useMentionActions({
    mentions: data === undefined ? [] : [data],
    current: data ?? null,
    onSettled: () => undefined,
  })
  return (
    <main className={styles.page}>
      <VisuallyHidden as="h1">{words.mention}</VisuallyHidden>
      {error !== null && <MentionFailure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton lines={8} />}
      {data !== undefined && (
        <>
          <p className={styles.way}>
            <Link href={`/inbox?keywordIds=${data.keyword.id}&m=${data.id}`}>{words.openInInbox}</Link>
          </p>
          <div className={styles.scroll}>
            <MentionView mention={data} actions={actions} folding={folding} />
          </div>
          <div className={styles.actions}>
            <ActionBar actions={actions} status={data.status} />
          </div>
        </>
      )}
      {dialog}
    </main>
  )
}

function MentionFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!isGone(error)) return <RequestFailure error={error} onRetry={onRetry} />
  return (
    <Empty title={words.gone} action={<Link href="/inbox">{words.inbox}</Link>}>
      {words.goneHint}
    </Empty>
  )
}
