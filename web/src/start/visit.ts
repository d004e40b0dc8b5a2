import { createContext, useContext, useState } from 'react'
import type { CreatedKeyword } from '../api/keywords.ts'
import type { StepName } from './steps.ts'

/** What a person did since the page was opened. It is stored nowhere. */
export interface Visit {
  /** The last keyword that was created, with the advice on it. */
  keyword: CreatedKeyword | null
  /** The topic that shows how mentions arrive. */
  trial: CreatedKeyword | null
  /** The channel that was created or chosen last. */
  channelId: string | null
  /** The channel of this visit that somebody has yet to connect or confirm. */
  waitsFor: string | null
  /** The signing secret of a webhook, until it is dismissed. */
  secret: { channelId: string; url: string; secret: string } | null
  /** The inbox behind a channel of this visit. */
  inbox: { channelId: string; inspectionId: string } | null
  /** The channel of the last test and what came of it. */
  test: { channelId: string; outcome: 'delivered' | 'failed' | 'skipped'; error: string | null } | null
  /** A finished step that was opened again. */
  reopened: StepName | null
}

const NEW_VISIT: Visit = {
  keyword: null,
  trial: null,
  channelId: null,
  waitsFor: null,
  secret: null,
  inbox: null,
  test: null,
  reopened: null,
}

interface VisitHandle {
  visit: Visit
  change: (part: Partial<Visit>) => void
}

export const VisitContext = createContext<VisitHandle | null>(null)

export function useNewVisit(): VisitHandle {
  const [visit, setVisit] = useState(NEW_VISIT)
  return { visit, change: (part) => setVisit((former) => ({ ...former, ...part })) }
}

export function useVisit(): VisitHandle {
  const handle = useContext(VisitContext)
  if (handle === null) throw new Error('the visit is read outside of the page')
  return handle
}

/** The keywords whose first mention the visit waits for; none for those of all keywords. */
export function watchedIds({ keyword, trial }: Visit): string[] {
  if (keyword === null) return []
  return trial === null ? [keyword.id] : [keyword.id, trial.id]
}
