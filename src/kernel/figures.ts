export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** `1 mention`, `2 mentions`; `many` is for other plurals. */
export function numbered(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
