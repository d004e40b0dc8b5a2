import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import styles from './delete-dialog.module.css'
import { RequestFailure } from './request-failure.tsx'
import { words } from './words.ts'

interface DeleteDialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** What will be gone with it. */
  text: string
  /** What the button says, such as "Delete the rule". */
  label: string
  variant?: 'danger' | 'primary'
  deletion: { mutate: () => void; isPending: boolean; error: Error | null }
}

/** Asks before something is deleted or ended. */
export function DeleteDialog({ open, onClose, title, text, label, variant = 'danger', deletion }: DeleteDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button variant={variant} busy={deletion.isPending} onClick={() => deletion.mutate()}>
            {label}
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        <p>{text}</p>
        {deletion.error !== null && <RequestFailure error={deletion.error} />}
      </div>
    </Dialog>
  )
}
