import type { Segment } from '../api/segments.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { useDeletion } from './use-segments.ts'
import { words } from './words.ts'

interface DeleteSegmentProps {
  segment: Segment
  open: boolean
  onClose: () => void
  onDeleted: () => void
}

export function DeleteSegment({ segment, open, onClose, onDeleted }: DeleteSegmentProps) {
  const deletion = useDeletion(segment, onDeleted)
  const title = words.removeTitle(segment.name)
  const label = words.removeSegment
  return (
    <DeleteDialog
      open={open}
      onClose={onClose}
      title={title}
      text={words.removeText}
      label={label}
      deletion={deletion}
    />
  )
}
