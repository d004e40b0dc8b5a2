import type { Inspections } from '../../src/channels/contract.ts'

/** An installation without inspection inboxes. */
export const NO_INSPECTIONS: Inspections = { tokenIn: () => null, take: async () => 404 }
