import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { Schema } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { createView, deleteView } from '../api/views.ts'
import { bodyFilter, FILTER_NAMES, type Filter, type FilterParam, PASSING_PARAMS } from '../app/filter/filter-params.ts'
import { words as filterWords } from '../app/filter/words.ts'
import { offerUndo } from '../app/undo.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Field, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { listAll } from '../kit/list.ts'
import { Notice } from '../kit/notice.tsx'
import { words } from './words.ts'

/** Saves the filter as a view. Parts that a view cannot hold are named. */
export function ViewDialog({ filter, onClose }: { filter: Filter; onClose: () => void }) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const passing = FILTER_NAMES.filter((param) => filter[param] !== undefined && PASSING_PARAMS.has(param))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const kept = keptPart(filter)
    if (kept === null) return setError(words.viewTwoStatuses)
    try {
      const view = await createView({ name: name.trim(), filter: kept })
      await client.invalidateQueries({ queryKey: ['views'] })
      const revert = async () => {
        await deleteView(view.id)
        await client.invalidateQueries({ queryKey: ['views'] })
        navigate('/inbox')
      }
      offerUndo({ text: words.viewSaved(view.name), revert })
      onClose()
      navigate(`/inbox/${view.id}`)
    } catch (failure) {
      setError(failure instanceof ApiError ? (failure.fields.get('name') ?? failure.message) : String(failure))
    }
  }
  return (
    <Dialog open onClose={onClose} title={words.saveView}>
      <Form onSubmit={(event) => void save(event)}>
        {passing.length > 0 && (
          <Notice tone="warning">{words.viewPassing(listAll(passing.map((param) => filterWords.param(param))))}</Notice>
        )}
        <Field label={words.viewName} error={error}>
          <TextInput value={name} maxLength={100} required onChange={(event) => setName(event.currentTarget.value)} />
        </Field>
        <Button type="submit" variant="primary">
          {words.save}
        </Button>
      </Form>
    </Dialog>
  )
}

/** Null where a view cannot hold the filter. What passes with time is left out. */
export function keptPart(filter: Filter): Schema<'ViewFilterInput'> | null {
  const body = bodyFilter(filter)
  if (body === null) return null
  const kept = Object.entries(body).filter(([param]) => !PASSING_PARAMS.has(param as FilterParam))
  return Object.fromEntries(kept) as Schema<'ViewFilterInput'>
}
