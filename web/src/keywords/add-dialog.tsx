import { useState } from 'react'
import type { CreatedKeyword } from '../api/keywords.ts'
import { CreatedKeywordPanel } from '../app/new-keyword/created-keyword.tsx'
import { draftOf } from '../app/new-keyword/draft.ts'
import { NewKeywordForm } from '../app/new-keyword/new-keyword-form.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Plus } from '../kit/icons.tsx'
import { words } from './words.ts'

/** Adds a keyword. The advice on the keyword stays until the dialog is closed. */
export function AddKeyword() {
  const [open, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedKeyword | null>(null)
  const close = () => setOpen(false)
  const begin = () => {
    setCreated(null)
    setOpen(true)
  }
  return (
    <>
      <Button variant="primary" icon={<Plus />} onClick={begin}>
        {words.add}
      </Button>
      <Dialog
        wide
        open={open}
        onClose={close}
        title={words.add}
        actions={created === null ? undefined : <Button onClick={close}>{words.close}</Button>}
      >
        {created === null ? (
          <NewKeywordForm initial={draftOf('', null)} onCreated={setCreated} onCancel={close} />
        ) : (
          <CreatedKeywordPanel keyword={created} />
        )}
      </Dialog>
    </>
  )
}
