import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { Schema } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { rotateFeedToken, updateView, type View } from '../api/views.ts'
import { FILTER_NAMES, type Filter } from '../app/filter/filter-params.ts'
import { words as filterWords } from '../app/filter/words.ts'
import { offerUndo } from '../app/undo.ts'
import { Button } from '../kit/button.tsx'
import { CopyField } from '../kit/copy-field.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Checkbox, Field, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { listAll } from '../kit/list.ts'
import { showToast } from '../kit/toast.tsx'
import { LIST_KEY } from './mention-cache.ts'
import { keptPart } from './view-dialog.tsx'
import { words } from './words.ts'

interface EditViewProps {
  view: View
  /** Conditions in the address, beyond those of the view. */
  shown: Filter
  onClose: () => void
}

/** Renames a view, adds the conditions that are shown to it, and shows the address of its feed. */
export function EditViewDialog({ view, shown, onClose }: EditViewProps) {
  const added = FILTER_NAMES.filter((param) => shown[param] !== undefined)
  const [name, setName] = useState(view.name)
  const [adds, setAdds] = useState(added.length > 0)
  const [error, setError] = useState<string | null>(null)
  const change = useViewChange(view)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const kept = adds ? keptPart(shown) : {}
    if (kept === null) return setError(words.viewTwoStatuses)
    try {
      await change(name.trim(), adds ? { ...view.filter, ...kept } : view.filter)
      onClose()
    } catch (failure) {
      setError(failure instanceof ApiError ? (failure.fields.get('name') ?? failure.message) : String(failure))
    }
  }
  return (
    <Dialog open onClose={onClose} title={words.editView}>
      <Form onSubmit={(event) => void save(event)}>
        <Field label={words.viewName} error={error}>
          <TextInput value={name} maxLength={100} required onChange={(event) => setName(event.currentTarget.value)} />
        </Field>
        {added.length > 0 && (
          <Checkbox
            label={words.viewAdds(listAll(added.map((param) => filterWords.param(param))))}
            checked={adds}
            onChange={(event) => setAdds(event.currentTarget.checked)}
          />
        )}
        <Button type="submit" variant="primary">
          {words.save}
        </Button>
      </Form>
      {view.feedUrl !== null && <Feed view={view} address={view.feedUrl} />}
    </Dialog>
  )
}

/** Changes name and filter of the view, and offers to undo it. */
function useViewChange({ id, name, filter, version }: View) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const write = async (body: Schema<'UpdateViewBody'>) => {
    const changed = await updateView(id, body)
    await Promise.all([['views'], LIST_KEY].map((queryKey) => client.invalidateQueries({ queryKey })))
    return changed
  }
  return async (newName: string, newFilter: View['filter']) => {
    const changed = await write({ name: newName, filter: newFilter, ifVersion: version })
    offerUndo({ text: words.viewChanged(changed.name), revert: () => write({ name, filter }).then(() => undefined) })
    navigate(`/inbox/${id}`)
  }
}

/** A new address is asked for twice, because readers of the present one lose the feed. */
function Feed({ view: { id }, address }: { view: View; address: string }) {
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const rotate = async () => {
    if (!isAsked) return setAsked(true)
    setAsked(false)
    try {
      await rotateFeedToken(id)
      await client.invalidateQueries({ queryKey: ['views'] })
      showToast({ text: words.feedRotated, tone: 'positive' })
    } catch (error) {
      showToast({ text: words.notSaved((error as Error).message), tone: 'negative' })
    }
  }
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <CopyField label={words.feedAddress} value={address} />
      <small>{words.feedHint}</small>
      <Button onClick={() => void rotate()}>{isAsked ? words.rotateFeedSurely : words.rotateFeed}</Button>
    </Form>
  )
}
