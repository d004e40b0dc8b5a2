/** The address of a mention in the dashboard. It never changes, because sent messages hold it. */
export function mentionUrl(publicUrl: string, mentionId: string): string {
  return `${publicUrl}/mentions/${mentionId}`
}
