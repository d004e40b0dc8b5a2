/** Runs `portion`, which returns how many things it handled, until it handles fewer than `size`; returns the sum. */
export async function inBatches(size: number, portion: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await portion()
    sum += count
    if (count < size) return sum
  }
}

export function batchesOf<Entry>(entries: readonly Entry[], size: number): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
    entries.slice(index * size, (index + 1) * size),
  )
}
