import { useSyncExternalStore } from 'react'
import type { Tone } from './tone.ts'

export interface ToastContent {
  text: string
  action?: { label: string; keys?: string | undefined; onPress: () => void } | undefined
  tone?: Tone | undefined
}

export interface Toast extends ToastContent {
  id: number
}

/** More hide the page on a phone; the oldest goes first. */
const SHOWN_AT_ONCE = 3

const listeners = new Set<() => void>()
let toasts: readonly Toast[] = []
let lastId = 0

function replaceToasts(next: readonly Toast[]): void {
  toasts = next
  for (const notify of listeners) notify()
}

/** Shows the toast for ten seconds; the returned function takes the toast away earlier. */
export function showToast(content: ToastContent): () => void {
  lastId += 1
  const id = lastId
  replaceToasts([...toasts, { ...content, id }].slice(-SHOWN_AT_ONCE))
  return () => dismissToast(id)
}

export function dismissToast(id: number): void {
  if (toasts.some((toast) => toast.id === id)) replaceToasts(toasts.filter((toast) => toast.id !== id))
}

export function currentToasts(): readonly Toast[] {
  return toasts
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, currentToasts)
}
