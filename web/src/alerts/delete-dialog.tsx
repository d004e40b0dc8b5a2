import type { Alert } from '../api/alerts.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { useDeletion } from './use-alert.ts'
import { words } from './words.ts'

interface DeleteDialogProps {
  alert: Alert
  open: boolean
  onClose: () => void
  onDeleted: () => void
}

export function DeleteDialog({ alert, open, onClose, onDeleted }: DeleteDialogProps) {
  const deletion = useDeletion(alert, onDeleted)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={words.removeTitle(alert.name)}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button variant="danger" busy={deletion.isPending} onClick={() => deletion.mutate()}>
            {words.remove}
          </Button>
        </>
      }
    >
      <p>{words.removeText}</p>
      {deletion.error !== null && <RequestFailure error={deletion.error} />}
    </Dialog>
  )
}
