/** Title and text on one line; many posts begin with their title. */
export function wordsOf({ title, text }: { title?: string | null; text: string }): string {
  return title === null || title === undefined || text.startsWith(title) ? text : `${title} ${text}`
}
