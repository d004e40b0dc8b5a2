import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type LiveEvent, type LiveKind, type LiveState, live } from './live.ts'

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.watchState, () => live.state)
}

/** Calls the handler for changes of these kinds while the component is shown. */
export function useLive(kinds: readonly LiveKind[], handler: (event: LiveEvent) => void): void {
  const newest = useRef(handler)
  newest.current = handler
  const wanted = kinds.join(' ')
  useEffect(
    () =>
      live.listen((event) => {
        if (wanted.split(' ').includes(event.kind)) newest.current(event)
      }),
    [wanted],
  )
}
