import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createAlert, previewAlert } from '../api/alerts.ts'
import type { Channel } from '../api/channels.ts'
import { SetUpFailure } from '../app/new-channel/set-up-failure.tsx'
import { StrangerText } from '../app/post/stranger.tsx'
import { Button } from '../kit/button.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import styles from './start.module.css'
import { words } from './words.ts'

const PREVIEW = { days: 7 }

/** One rule for every relevant mention, with what it would have sent lately. */
export function RuleStep({ channel }: { channel: Channel }) {
  const client = useQueryClient()
  const creation = useMutation({
    mutationFn: () =>
      createAlert({ name: words.ruleName, mode: 'instant', filter: {}, channelIds: [channel.id], enabled: true }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['alerts'] })
      await client.invalidateQueries({ queryKey: ['channels'] })
    },
  })
  return (
    <>
      <p className={styles.quiet}>{words.ruleHint(channel.label)}</p>
      <Preview />
      <div className={styles.row}>
        <Button variant="primary" busy={creation.isPending} onClick={() => creation.mutate()}>
          {words.createRule}
        </Button>
      </div>
      <SetUpFailure error={creation.error} />
    </>
  )
}

function Preview() {
  const preview = useQuery({
    queryKey: ['alert-preview', PREVIEW],
    queryFn: ({ signal }) => previewAlert(PREVIEW, signal),
  })
  if (preview.isPending) return <Skeleton lines={1} />
  if (preview.error !== null) return <SetUpFailure error={preview.error} onRetry={() => void preview.refetch()} />
  const { matched, days, sample } = preview.data
  return (
    <>
      <p>{words.preview(matched, days)}</p>
      {sample.length > 0 && (
        <details className={styles.local}>
          <summary>{words.previewOpen}</summary>
          <ul className={styles.sample}>
            {sample.slice(0, 3).map(({ id, post }) => (
              <li key={id}>
                <StrangerText text={post.title ?? post.text} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
