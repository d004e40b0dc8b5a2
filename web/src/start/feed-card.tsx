import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createView } from '../api/views.ts'
import { SetUpFailure } from '../app/new-channel/set-up-failure.tsx'
import { words as setUpWords } from '../app/new-channel/words.ts'
import { useViews } from '../app/workspace-queries.ts'
import { Button } from '../kit/button.tsx'
import { CopyField } from '../kit/copy-field.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import styles from './start.module.css'
import { words } from './words.ts'

/** The feed of a view of all relevant mentions. */
export function FeedCard() {
  const client = useQueryClient()
  const views = useViews()
  const creation = useMutation({
    mutationFn: () => createView({ name: words.feedName, filter: { relevant: true } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['views'] }),
  })
  if (views.isPending) return <Skeleton lines={2} />
  if (views.error !== null) return <SetUpFailure error={views.error} onRetry={() => void views.refetch()} />
  const view = views.data.data.find(({ name }) => name === words.feedName)
  if (view === undefined)
    return (
      <>
        <p>{words.feedHint}</p>
        <div className={styles.row}>
          <Button variant="primary" busy={creation.isPending} onClick={() => creation.mutate()}>
            {words.feedCreate}
          </Button>
        </div>
        <SetUpFailure error={creation.error} />
      </>
    )
  if (view.feedUrl === null)
    return (
      <p>
        {words.feedMissing} {setUpWords.missing(['EARSHOT_SECRET_KEY'])}
      </p>
    )
  return (
    <div role="status" className={styles.stack}>
      <CopyField label={words.feedLink} value={view.feedUrl} />
      <p>{words.feedReady}</p>
    </div>
  )
}
