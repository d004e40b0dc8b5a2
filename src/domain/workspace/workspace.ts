/** The longest name of a workspace, in characters. */
export const WORKSPACE_NAME_MAX = 200
