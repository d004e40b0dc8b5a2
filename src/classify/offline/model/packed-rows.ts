/** Packs four bytes in a number: sums take half the additions and a quarter of the reads. */
export interface PackedRows {
  /** Weights plus RAISE, so that none is negative. */
  numbers: Int32Array
  width: number
}

export function packRows(weights: Int8Array, labels: number): PackedRows {
  const width = Math.ceil(labels / 4)
  const count = weights.length / labels
  const numbers = new Int32Array(width * count)
  for (let row = 0, place = 0; row < count; row += 1)
    for (let label = 0; label < labels; label += 1, place += 1)
      numbers[row * width + (label >> 2)]! |= (weights[place]! + RAISE) << (8 * (label & 3))
  return { numbers, width }
}

export function newSums({ width }: PackedRows): Int32Array {
  return new Int32Array(4 * width)
}

/** The first `count` entries of `rows` are row indexes. */
export function sumRows({ numbers, width }: PackedRows, rows: Int32Array, count: number, into: Int32Array): void {
  into.fill(-RAISE * count)
  for (let four = 0, label = 0; four < width; four += 1, label += 4) {
    // A number holds two sums of 16 bits, which are emptied before either overflows.
    for (let from = 0; from < count; from += MOST_SUMMED) {
      const end = Math.min(count, from + MOST_SUMMED)
      let even = 0
      let odd = 0
      for (let at = from; at < end; at += 1) {
        const weights = numbers[rows[at]! * width + four]!
        even = (even + (weights & 0xff00ff)) | 0
        odd = (odd + ((weights >>> 8) & 0xff00ff)) | 0
      }
      into[label]! += even & 0xffff
      into[label + 1]! += odd & 0xffff
      into[label + 2]! += even >>> 16
      into[label + 3]! += odd >>> 16
    }
  }
}

const RAISE = 128
/** 256 bytes fit in 16 bits. */
const MOST_SUMMED = 256
