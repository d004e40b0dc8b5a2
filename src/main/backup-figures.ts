export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

export function numbered(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
