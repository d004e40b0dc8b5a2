import type { Alert } from '../api/alerts.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { useDeletion } from './use-alert.ts'
import { words } from './words.ts'

interface DeleteAlertProps {
  alert: Alert
  open: boolean
  onClose: () => void
  onDeleted: () => void
}

export function DeleteAlert({ alert, open, onClose, onDeleted }: DeleteAlertProps) {
  const deletion = useDeletion(alert, onDeleted)
  const title = words.removeTitle(alert.name)
  const text = words.removeText
  return (
    <DeleteDialog open={open} onClose={onClose} title={title} text={text} label={words.remove} deletion={deletion} />
  )
}
