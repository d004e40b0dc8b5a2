import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Channel, rotateSecret } from '../api/channels.ts'
import { NewSecretPanel } from '../app/new-channel/new-secret-panel.tsx'
import { VerifySnippet } from '../app/new-channel/verify-snippet.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Dialog } from '../kit/dialog.tsx'
import styles from './channels.module.css'
import { words } from './words.ts'

/** Replaces the signing secret of a webhook. The new one stays on the page until it is stored. */
export function SecretCard({ channel: { id, config } }: { channel: Channel }) {
  const [asking, setAsking] = useState(false)
  const rotation = useMutation({ mutationFn: () => rotateSecret(id), onSuccess: () => setAsking(false) })
  if (!('url' in config)) return null
  const fresh =
    rotation.data !== undefined && 'secret' in rotation.data.config ? rotation.data.config.secret : undefined
  return (
    <Card title={words.secret}>
      {fresh === undefined ? (
        <div className={styles.stack}>
          <p>{words.secretHint}</p>
          <VerifySnippet />
          <div className={styles.line}>
            <Button onClick={() => setAsking(true)}>{words.rotate}</Button>
          </div>
        </div>
      ) : (
        <NewSecretPanel url={config.url} secret={fresh} onStored={rotation.reset} />
      )}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.rotateTitle}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{words.cancel}</Button>
            <Button variant="danger" busy={rotation.isPending} onClick={() => rotation.mutate()}>
              {words.rotate}
            </Button>
          </>
        }
      >
        <p>{words.rotateText}</p>
        {rotation.error !== null && <RequestFailure error={rotation.error} />}
      </Dialog>
    </Card>
  )
}
