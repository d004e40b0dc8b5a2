import { readSeeds } from './seed-file.ts'

export interface ReviewSeed {
  text: string
  purpose: 'bug_report' | 'feedback' | 'testimonial' | 'none'
}

/** Reviews of apps without their stars. */
export function reviewSeeds(): ReviewSeed[] {
  return readSeeds('reviews', ['purpose', 'text']) as ReviewSeed[]
}
