/** `1 mention`, `2 mentions`. */
export function many(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
