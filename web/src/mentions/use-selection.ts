import { useState } from 'react'
import type { Mention } from '../api/mentions.ts'

export interface Selection {
  ids: ReadonlySet<string>
  /** Whether all that match are selected, loaded or not. */
  isMatching: boolean
  toggle: (mention: Mention) => void
  add: (mention: Mention) => void
  /** All loaded; when these are selected already, all that match. */
  selectAll: (mentions: readonly Mention[]) => void
  clear: () => void
}

const NONE: ReadonlySet<string> = new Set()

export function useSelection(): Selection {
  const [ids, setIds] = useState(NONE)
  const [isMatching, setMatching] = useState(false)
  const change = (next: ReadonlySet<string>) => {
    setMatching(false)
    setIds(next)
  }
  return {
    ids,
    isMatching,
    toggle: ({ id }) => change(ids.has(id) ? new Set([...ids].filter((known) => known !== id)) : new Set([...ids, id])),
    add: ({ id }) => change(new Set([...ids, id])),
    selectAll: (mentions) => {
      if (mentions.length > 0 && mentions.every(({ id }) => ids.has(id))) setMatching(true)
      else change(new Set(mentions.map(({ id }) => id)))
    },
    clear: () => change(NONE),
  }
}
