import type { Channel } from '../api/channels.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { useDeletion } from './use-channel.ts'
import { words } from './words.ts'

interface DeleteChannelProps {
  channel: Channel
  open: boolean
  onClose: () => void
  onDeleted: () => void
}

export function DeleteChannel({ channel, open, onClose, onDeleted }: DeleteChannelProps) {
  const deletion = useDeletion(channel, onDeleted)
  const title = words.removeTitle(channel.label)
  const text = words.removeText(channel.stats.alerts)
  return (
    <DeleteDialog open={open} onClose={onClose} title={title} text={text} label={words.remove} deletion={deletion} />
  )
}
