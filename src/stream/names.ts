import type { Platform } from '../domain/platform/platforms.ts'

/** The platform's log, which is also the name that operators see at the server. */
export function logNameOf(platform: Platform): string {
  return `earshot-posts-${platform}`
}
