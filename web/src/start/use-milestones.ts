import { useEffect, useRef, useState } from 'react'
import type { Progress } from './use-progress.ts'

/** Seconds after the page was opened; null for what did not happen in this visit. */
export interface Milestones {
  mentionSeconds: number | null
  deliverySeconds: number | null
}

export function useMilestones(progress: Progress | null): Milestones {
  return {
    mentionSeconds: useFirstTime(progress?.done.mention),
    deliverySeconds: useFirstTime(progress?.done.delivery),
  }
}

/** When the fact turned true for the first time, if it was false before. */
function useFirstTime(fact: boolean | undefined): number | null {
  const [seconds, setSeconds] = useState<number | null>(null)
  const began = useRef(performance.now())
  const former = useRef(fact)
  useEffect(() => {
    if (former.current === false && fact === true)
      setSeconds((known) => known ?? Math.round((performance.now() - began.current) / 1000))
    if (fact !== undefined) former.current = fact
  }, [fact])
  return seconds
}
