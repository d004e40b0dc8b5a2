import type { ReactNode } from 'react'
import { PLATFORM_NAMES, type Platform } from '../platforms.ts'
import { StrangerLink } from './stranger.tsx'
import { words } from './words.ts'

interface OriginalLinkProps {
  post: { url: string; platform: Platform }
  className?: string | undefined
  children?: ReactNode
}

/** Leads to the post where it was written. */
export function OriginalLink({ post: { url, platform }, className, children }: OriginalLinkProps) {
  return (
    <StrangerLink address={url} className={className}>
      {words.openOn(PLATFORM_NAMES[platform])}
      {children}
    </StrangerLink>
  )
}
