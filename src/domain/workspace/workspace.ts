/** The longest name of a workspace, in characters. */
export const WORKSPACE_NAME_MAX = 200

/** The address of the tool server, which is also the audience of every access token. */
export function toolServerUrl(publicUrl: string): string {
  return `${publicUrl}/mcp`
}
