import { useState } from 'react'
import type { CreatedKeyword } from '../api/keywords.ts'
import { CreatedKeywordPanel } from '../app/new-keyword/created-keyword.tsx'
import { draftOf } from '../app/new-keyword/draft.ts'
import { NewKeywordForm } from '../app/new-keyword/new-keyword-form.tsx'
import { Card } from '../kit/card.tsx'
import type { Wanted } from './search-form.tsx'
import { words } from './words.ts'

/** Makes a keyword of what was searched. The advice on it stays until the person leaves. */
export function WatchPanel({ wanted, onClose }: { wanted: Wanted; onClose: () => void }) {
  const [created, setCreated] = useState<CreatedKeyword | null>(null)
  return (
    <Card title={words.watchTitle(wanted.q)}>
      {created === null ? (
        <NewKeywordForm
          hidesTerm
          initial={draftOf(wanted.q, wanted.platforms)}
          onCreated={setCreated}
          onCancel={onClose}
        />
      ) : (
        <CreatedKeywordPanel keyword={created} />
      )}
    </Card>
  )
}
