export const WORKSPACE_NAME_MAX = 200

/** The address is also the audience of every access token. */
export function toolServerUrl(publicUrl: string): string {
  return `${publicUrl}/mcp`
}
