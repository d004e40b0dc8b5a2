import { isLoopback, isOfThisMachine } from '../kernel/this-machine.ts'
import type { Settings } from './settings.ts'

type Reach = Pick<Settings, 'host' | 'publicUrl'>

/** Whether the service is set up for people at its own machine alone. */
export function isForThisMachine({ host, publicUrl }: Reach): boolean {
  return isLoopback(host) && isOfThisMachine(publicUrl)
}

/**
 * What an operator should hear who lets other machines in and tells them an address of this one; null when the two
 * agree.
 */
export function openPortWarning({ host, publicUrl }: Reach): string | null {
  if (isLoopback(host) || !isOfThisMachine(publicUrl)) return null
  return (
    `PUBLIC_URL is ${publicUrl}, but the service listens on ${host}, where other machines may reach it: set ` +
    'PUBLIC_URL to the address that people use'
  )
}
