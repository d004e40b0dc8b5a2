/** Lengths in characters. */
export const VIEW_LIMITS = { name: 80, description: 500, perWorkspace: 500 } as const
