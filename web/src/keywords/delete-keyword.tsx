import type { Keyword } from '../api/keywords.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { useDeletion } from './use-keyword.ts'
import { words } from './words.ts'

interface DeleteKeywordProps {
  keyword: Keyword
  open: boolean
  onClose: () => void
  onDeleted: () => void
}

export function DeleteKeyword({ keyword, open, onClose, onDeleted }: DeleteKeywordProps) {
  const deletion = useDeletion(keyword, onDeleted)
  const title = words.removeTitle(keyword.term)
  const text = words.removeText(keyword.stats.mentions)
  return (
    <DeleteDialog open={open} onClose={onClose} title={title} text={text} label={words.remove} deletion={deletion} />
  )
}
