import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** Keeps secrets unreadable in the database and its backups: AES-256 in GCM mode under one key of the installation. */
export interface Sealer {
  /**
   * Encrypts `plain`. The text can be opened only with the same `boundTo`, which names the row that it belongs to (such
   * as workspace and channel id): a sealed secret copied into another row stays closed.
   */
  seal(plain: string, boundTo: string): string
  /** The text that was sealed; null when the key or `boundTo` is another one, or the sealed text is altered. */
  open(sealed: string, boundTo: string): string | null
  /** 32 bytes that belong to a text and to the key: always the same, and nobody without the key can work them out. */
  derive(from: string): Buffer
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Stands before every sealed text, so that another cipher can follow one day. */
const VERSION = 'v1.'

/** Reads a key of 32 bytes, written as 64 hex digits or as base64. A problem never repeats the key. */
export function readSealingKey(text: string): Buffer | { problem: string } {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return Buffer.from(trimmed, 'base64')
  return { problem: `must be ${KEY_BYTES} random bytes, as 64 hex digits or in base64` }
}

/** Throws RangeError when the key is not what `readSealingKey` reads. */
export function createSealer(keyText: string): Sealer {
  const key = readSealingKey(keyText)
  if ('problem' in key) throw new RangeError(`the sealing key ${key.problem}`)
  // The key of the cipher is used for nothing else.
  const deriving = createHmac('sha256', key).update('derive').digest()
  return {
    derive: (from) => createHmac('sha256', deriving).update(from).digest(),
    seal(plain, boundTo) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(boundTo))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, boundTo) {
      const parts = partsOf(sealed)
      if (parts === null) return null
      const decipher = createDecipheriv('aes-256-gcm', key, parts.nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(boundTo))
      decipher.setAuthTag(parts.tag)
      const start = decipher.update(parts.body)
      try {
        return Buffer.concat([start, decipher.final()]).toString('utf8')
      } catch {
        // The only thing that the last step can say is that the tag does not fit, which the caller reads from null.
        return null
      }
    },
  }
}

function partsOf(sealed: string): { nonce: Buffer; body: Buffer; tag: Buffer } | null {
  if (!sealed.startsWith(VERSION)) return null
  const encoded = sealed.slice(VERSION.length)
  const bytes = Buffer.from(encoded, 'base64url')
  // Decoding is lenient; the comparison refuses texts with foreign characters or loose bits at the end.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== encoded) return null
  return {
    nonce: bytes.subarray(0, NONCE_BYTES),
    body: bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES),
    tag: bytes.subarray(bytes.length - TAG_BYTES),
  }
}
