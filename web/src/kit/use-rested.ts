import { useEffect, useState } from 'react'

const REST_MS = 400

/** The value once it has not changed for a moment, so that requests do not follow every letter. */
export function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
