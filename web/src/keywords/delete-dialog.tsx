import type { Keyword } from '../api/keywords.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import styles from './keywords.module.css'
import { useDeletion } from './use-keyword.ts'
import { words } from './words.ts'

interface DeleteDialogProps {
  keyword: Keyword
  open: boolean
  onClose: () => void
  onDeleted: () => void
}

export function DeleteDialog({ keyword, open, onClose, onDeleted }: DeleteDialogProps) {
  const deletion = useDeletion(keyword, onDeleted)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={words.removeTitle(keyword.term)}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button variant="danger" busy={deletion.isPending} onClick={() => deletion.mutate()}>
            {words.remove}
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        <p>{words.removeText(keyword.stats.mentions)}</p>
        {deletion.error !== null && <RequestFailure error={deletion.error} />}
      </div>
    </Dialog>
  )
}
