/**
 * Does work in portions of at most `size`, one after the other, until one is not full. `portion` answers how many
 * things it worked on; the sum is answered.
 */
export async function inPortions(size: number, portion: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await portion()
    sum += count
    if (count < size) return sum
  }
}
