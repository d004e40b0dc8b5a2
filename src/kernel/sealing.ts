import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** AES-256-GCM under one key of the installation, for secrets in the database and its backups. */
export interface Sealer {
  /** `boundTo` names the row (such as workspace and channel id): a secret copied into another row does not open. */
  seal(plain: string, boundTo: string): string
  /** Null when key, `boundTo` or text differ. */
  open(sealed: string, boundTo: string): string | null
  /** 32 bytes from a text and the key, always the same. */
  derive(from: string): Buffer
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Leaves room for another cipher. */
const VERSION = 'v1.'

/** 32 bytes as 64 hex digits or base64. A problem never repeats the key. */
export function readSealingKey(text: string): Buffer | { problem: string } {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return Buffer.from(trimmed, 'base64')
  return { problem: `must be ${KEY_BYTES} random bytes, as 64 hex digits or in base64` }
}

/** Throws RangeError for a malformed key. */
export function createSealer(keyText: string): Sealer {
  const key = readSealingKey(keyText)
  if ('problem' in key) throw new RangeError(`the sealing key ${key.problem}`)
  // The cipher's key is used for nothing else.
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
        // The last step only fails for a wrong tag.
        return null
      }
    },
  }
}

function partsOf(sealed: string): { nonce: Buffer; body: Buffer; tag: Buffer } | null {
  if (!sealed.startsWith(VERSION)) return null
  const encoded = sealed.slice(VERSION.length)
  const bytes = Buffer.from(encoded, 'base64url')
  // Decoding is lenient; this refuses foreign characters and loose bits at the end.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== encoded) return null
  return {
    nonce: bytes.subarray(0, NONCE_BYTES),
    body: bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES),
    tag: bytes.subarray(bytes.length - TAG_BYTES),
  }
}
