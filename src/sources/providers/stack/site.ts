import type { Platform } from '../../../domain/platform/platforms.ts'

/** One of the sites that the interface serves alike. */
export interface StackSite {
  platform: Platform
  /** Its name in the interface. */
  name: string
  /** Before ids, which every site counts from one; empty for Stack Overflow. */
  prefix: string
  /** Without a final slash. */
  url: string
}

export const STACK_OVERFLOW: StackSite = {
  platform: 'stackoverflow',
  name: 'stackoverflow',
  prefix: '',
  url: 'https://stackoverflow.com',
}
