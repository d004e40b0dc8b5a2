import { useEffect, useRef } from 'react'
import { KEY_ACTIONS, KEYS, type KeyAction, type KeyEntry } from './key-table.ts'

export type KeyHandlers = Partial<Record<KeyAction, () => void>>

/** What the dispatcher reads of a keyboard event. */
export interface Pressed {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  isComposing: boolean
}

/** Milliseconds in which the second key of two must follow. */
const CHORD_MS = 1200
const PREFERENCE = 'earshot-keys'

/** Handlers in layers: the newest layer that handles an action does it. */
class KeyDispatcher {
  private readonly layers: KeyHandlers[] = []
  private prefix: { key: string; until: number } | null = null

  add(layer: KeyHandlers): () => void {
    this.layers.push(layer)
    return () => void this.layers.splice(this.layers.indexOf(layer), 1)
  }

  /** Whether a handler ran. */
  press(pressed: Pressed, now: number): boolean {
    if (pressed.isComposing || pressed.altKey) return false
    const key = keyIn(pressed)
    const prefix = this.prefix !== null && now < this.prefix.until ? this.prefix.key : null
    this.prefix = null
    if (prefix !== null && this.actOn(`${prefix} ${key}`)) return true
    if (this.actOn(key)) return true
    const begins = KEY_ACTIONS.some((action) => KEYS[action].keys.some((keys) => keys.startsWith(`${key} `)))
    if (begins) this.prefix = { key, until: now + CHORD_MS }
    return begins
  }

  /** Whether the page that is shown handles the action. */
  handles(action: KeyAction): boolean {
    return this.layers.some((layer) => layer[action] !== undefined)
  }

  /** Whether a handler ran. */
  act(action: KeyAction): boolean {
    const handler = this.layers.findLast((layer) => layer[action] !== undefined)?.[action]
    handler?.()
    return handler !== undefined
  }

  private actOn(keys: string): boolean {
    const action = actionOf(keys)
    return action !== undefined && this.act(action)
  }
}

function actionOf(keys: string): KeyAction | undefined {
  return KEY_ACTIONS.find((name) => (KEYS[name].keys as readonly string[]).includes(keys))
}

/** Letters of other scripts go by their place on the keyboard. */
export function keyIn({ key, code, ctrlKey, metaKey }: Pressed): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  const isOtherScript = key.length === 1 && /\p{L}/u.test(key) && !/[a-z]/i.test(key)
  const named = isOtherScript && letter !== undefined ? letter.toLowerCase() : key
  return ctrlKey || metaKey ? `Mod ${named.toLowerCase()}` : named
}

export const dispatcher = new KeyDispatcher()

/** Whether single keys act. A preference of the browser, for people whom they disturb (WCAG 2.1.4). */
export function areKeysOn(): boolean {
  return localStorage.getItem(PREFERENCE) !== 'off'
}

export function switchKeys(on: boolean): void {
  if (on) localStorage.removeItem(PREFERENCE)
  else localStorage.setItem(PREFERENCE, 'off')
}

const WRITES = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]'
const OWN_KEYS = '[role=menu], [role=listbox], [role=dialog]'

export function listenToKeys(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest(OWN_KEYS)) return
    if (!actsAnywhere(event) && (!areKeysOn() || target?.closest(WRITES))) return
    if (event.key === 'Enter' && target?.closest('a, button, summary')) return
    if (dispatcher.press(event, performance.now())) event.preventDefault()
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}

/** The switch is for single keys, and text fields need those. */
function actsAnywhere(event: KeyboardEvent): boolean {
  const action = actionOf(keyIn(event))
  const entry: KeyEntry | undefined = action && KEYS[action]
  return entry?.whileWriting === true
}

/** Handles keys while the component is shown. */
export function useKeys(handlers: KeyHandlers): void {
  const newest = useRef(handlers)
  newest.current = handlers
  const actions = Object.keys(handlers).join(' ')
  useEffect(() => {
    const names = actions.split(' ') as KeyAction[]
    return dispatcher.add(Object.fromEntries(names.map((name) => [name, () => newest.current[name]?.()])))
  }, [actions])
}
