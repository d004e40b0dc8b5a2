import { useEffect, useState } from 'react'
import { words } from './words.ts'

const SECOND_MS = 1000

/** Counts the seconds of a wait down to zero. */
export function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = Date.now() + seconds * SECOND_MS
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / SECOND_MS))), SECOND_MS)
    return () => clearInterval(timer)
  }, [seconds])
  return <span role="timer">{words.waitSeconds(left)}</span>
}
