import type { Channel } from '../api/channels.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { useDeletion } from './use-channel.ts'
import { words } from './words.ts'

interface DeleteDialogProps {
  channel: Channel
  open: boolean
  onClose: () => void
  onDeleted: () => void
}

export function DeleteDialog({ channel, open, onClose, onDeleted }: DeleteDialogProps) {
  const deletion = useDeletion(channel, onDeleted)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={words.removeTitle(channel.label)}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button variant="danger" busy={deletion.isPending} onClick={() => deletion.mutate()}>
            {words.remove}
          </Button>
        </>
      }
    >
      <p>{words.removeText(channel.stats.alerts)}</p>
      {deletion.error !== null && <RequestFailure error={deletion.error} />}
    </Dialog>
  )
}
