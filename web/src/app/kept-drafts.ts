import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'

/** What the forms of this page hold now, and what an earlier page kept for them. */
const typed = new Map<string, unknown>()
let kept = new Map<string, unknown>()

const STORED = 'earshot-drafts'

/** Keeps half-filled forms of an account for the page that follows in this tab. */
export function keepDrafts(account: string): void {
  sessionStorage.setItem(STORED, JSON.stringify({ account, drafts: [...typed] }))
}

/** Finds what was kept for the account. Another account gets nothing, and it is gone. */
export function findDrafts(account: string): void {
  const text = sessionStorage.getItem(STORED)
  sessionStorage.removeItem(STORED)
  if (text === null) return
  const stored = JSON.parse(text) as { account: string; drafts: [string, unknown][] }
  kept = new Map(stored.account === account ? stored.drafts : [])
}

/** State of a form that outlives a sign-in under its name. It must hold no secret. */
export function useDraft<Value>(name: string, initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState<Value>(() => (kept.has(name) ? (kept.get(name) as Value) : initial))
  useEffect(() => {
    kept.delete(name)
    typed.set(name, value)
    return () => void typed.delete(name)
  }, [name, value])
  return [value, setValue]
}
