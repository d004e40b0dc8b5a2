import type { z } from 'zod'
import { contradictionsIn } from '../domain/filter/bounds.ts'

/**
 * Refuses bounds between which nothing can lie, in the name of the upper one. All parameters, and all filters in
 * bodies, are checked with it.
 */
export function refuseContradictions(values: unknown, context: z.core.$RefinementCtx): void {
  for (const { field, reason } of contradictionsIn(values as Record<string, unknown>))
    context.addIssue({ code: 'custom', message: reason, path: [field], input: values })
}
