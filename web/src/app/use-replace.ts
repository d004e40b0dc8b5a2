import { useLocation } from 'wouter'
import type { Navigate } from '../kit/follow.ts'

/** Goes to an address in the place of this one, for another state of the same page. */
export function useReplace(): Navigate {
  const [, navigate] = useLocation()
  return (href) => navigate(href, { replace: true })
}
