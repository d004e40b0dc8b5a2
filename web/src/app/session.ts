import { useSyncExternalStore } from 'react'
import { saveLanguage, setSession } from '../api/client.ts'
import { errorOf } from '../api/errors.ts'
import { findDrafts, keepDrafts } from './kept-drafts.ts'
import type { Language } from './languages.ts'

export interface Session {
  /** The language is null where that of the browser counts. */
  user: { id: string; email: string; name: string; language: Language | null }
  workspace: { id: string; name: string; role: 'member' | 'admin' | 'owner' }
}

interface SessionAnswer {
  user: Session['user'] | null
  workspace: Session['workspace'] | null
  formToken: string | null
}

/** Whose session this page was opened in. */
let account: string | null = null

let current: Session | null = null
const watchers = new Set<() => void>()

/** Reads the session anew. Null after leading to the sign-in. */
export async function openSession(): Promise<Session | null> {
  const response = await fetch('/session', { headers: { Accept: 'application/json' } })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw errorOf(response.status, body)
  const { user, workspace, formToken } = body as SessionAnswer
  if (user === null || formToken === null) return leave('/sign-in')
  if (workspace === null) return leave('/workspaces')
  const opened = `${workspace.id} ${user.id}`
  if (account === null) findDrafts(opened)
  account = opened
  // Another tab may have signed in anew, which only changes the token, or somebody has changed the role.
  setSession(formToken, () => void openSession())
  current = { user, workspace }
  for (const watcher of watchers) watcher()
  return current
}

/** Leads to a page of the server that comes back to this one. */
export function leave(page: '/sign-in' | '/workspaces'): null {
  if (account !== null) keepDrafts(account)
  const here = location.pathname + location.search
  location.assign(`${page}?next=${encodeURIComponent(here)}`)
  return null
}

/** Shows the dashboard in another language from now on. Half-filled forms stay. Empty follows the browser. */
export async function chooseLanguage(language: Language | ''): Promise<void> {
  await saveLanguage(language)
  if (account !== null) keepDrafts(account)
  location.reload()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function useSession(): Session {
  const session = useSyncExternalStore(watch, () => current)
  if (session === null) throw new Error('the session is read before it is opened')
  return session
}
