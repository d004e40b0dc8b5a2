/** One file of a tar archive, in the ustar form that every tar program reads. */
export interface TarHeader {
  /** At most 100 ASCII characters. */
  name: string
  /** In bytes, below 8 GiB. */
  size: number
}

export const BLOCK_BYTES = 512
/** Ends an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES)

const NAME = { at: 0, length: 100 }
const SIZE = { at: 124, length: 12 }
const CHECKSUM = { at: 148, length: 8 }

/** `at` is the time of change that tar programs show. */
export function tarHeader({ name, size }: TarHeader, at: Date): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES)
  header.write(name, NAME.at, 'latin1')
  header.write('0000600\0' + '0000000\0' + '0000000\0', 100, 'latin1')
  header.write(`${octal(size, 11)}\0${octal(Math.floor(at.getTime() / 1000), 11)}\0`, SIZE.at, 'latin1')
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${octal(checksumOf(header), 6)}\0 `, CHECKSUM.at, 'latin1')
  return header
}

/** Null for a block that is no header, such as a damaged one. */
export function readTarHeader(block: Buffer): TarHeader | null {
  const size = numberAt(block, SIZE)
  if (size === null || numberAt(block, CHECKSUM) !== checksumOf(block)) return null
  return { name: textAt(block, NAME), size }
}

/** The zeros that fill the last block of a file. */
export function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES
}

interface Field {
  at: number
  length: number
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function textAt(block: Buffer, { at, length }: Field): string {
  const text = block.toString('latin1', at, at + length)
  const end = text.indexOf('\0')
  return end === -1 ? text : text.slice(0, end)
}

function numberAt(block: Buffer, field: Field): number | null {
  const text = textAt(block, field).trim()
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : null
}

/** The sum of all bytes, with blanks for the checksum itself. */
function checksumOf(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const isOwn = at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length
    sum += isOwn ? 0x20 : block[at]!
  }
  return sum
}
