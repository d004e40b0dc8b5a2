import { isLoopback, isOfThisMachine } from '../kernel/this-machine.ts'
import type { Settings } from './settings.ts'

type Reach = Pick<Settings, 'host' | 'publicUrl'>

export function isForThisMachine({ host, publicUrl }: Reach): boolean {
  return isLoopback(host) && isOfThisMachine(publicUrl)
}

/** Whether other machines may reach the service while PUBLIC_URL names this machine. */
export function isOpenPort({ host, publicUrl }: Reach): boolean {
  return !isLoopback(host) && isOfThisMachine(publicUrl)
}
