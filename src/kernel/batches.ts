/** Runs `portion`, which returns how many things it handled, until it handles fewer than `size`; returns the sum. */
export async function inBatches(size: number, portion: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await portion()
    sum += count
    if (count < size) return sum
  }
}
