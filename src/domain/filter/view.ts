/** The longest texts of a saved view, in characters, and how many a workspace may have. */
export const VIEW_LIMITS = { name: 80, description: 500, perWorkspace: 500 } as const
