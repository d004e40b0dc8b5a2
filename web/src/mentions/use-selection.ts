import { useMemo, useState } from 'react'
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
  // The same functions in every render, because a new one renders every row again.
  const changes = useMemo(() => {
    const change = (next: (before: ReadonlySet<string>) => ReadonlySet<string>) => {
      setMatching(false)
      setIds(next)
    }
    return {
      toggle: ({ id }: Mention) =>
        change((before) => (before.has(id) ? without(before, id) : new Set([...before, id]))),
      add: ({ id }: Mention) => change((before) => new Set([...before, id])),
      replace: (mentions: readonly Mention[]) => change(() => new Set(mentions.map(({ id }) => id))),
      clear: () => change(() => NONE),
    }
  }, [])
  const { toggle, add, replace, clear } = changes
  const selectAll = (mentions: readonly Mention[]) => {
    if (mentions.length > 0 && mentions.every(({ id }) => ids.has(id))) setMatching(true)
    else replace(mentions)
  }
  return { ids, isMatching, toggle, add, selectAll, clear }
}

function without(ids: ReadonlySet<string>, gone: string): ReadonlySet<string> {
  return new Set([...ids].filter((id) => id !== gone))
}
