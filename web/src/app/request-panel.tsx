import { Dialog } from '../kit/dialog.tsx'
import { RequestList } from './request-list.tsx'
import { words } from './words.ts'

/** The API behind the page. */
export function RequestPanel({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={words.requests} wide>
      <RequestList />
    </Dialog>
  )
}
