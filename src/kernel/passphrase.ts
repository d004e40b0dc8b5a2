import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { z } from 'zod'

/** A text sealed by a passphrase: AES-256-GCM under a key that scrypt derives. */
export type PassphraseSealed = z.infer<typeof passphraseSealedSchema>

const base64 = z.base64()

/** The bounds keep a made-up text from taking all memory. */
export const passphraseSealedSchema = z.object({
  kdf: z.literal('scrypt'),
  cost: z
    .number()
    .int()
    .min(2)
    .max(2 ** 20),
  blockSize: z.number().int().min(1).max(16),
  salt: base64,
  nonce: base64,
  sealed: base64,
})

/** 64 MiB and about a fifth of a second for each guess. */
const COST = 2 ** 16
const BLOCK_SIZE = 8
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export async function sealByPassphrase(plain: string, passphrase: string): Promise<PassphraseSealed> {
  const [salt, nonce] = [randomBytes(16), randomBytes(NONCE_BYTES)]
  const key = await deriveKey(passphrase, { salt, cost: COST, blockSize: BLOCK_SIZE })
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const texts = { salt: salt.toString('base64'), nonce: nonce.toString('base64'), sealed: sealed.toString('base64') }
  return { kdf: 'scrypt', cost: COST, blockSize: BLOCK_SIZE, ...texts }
}

/** Null for another passphrase or a changed text. */
export async function openByPassphrase(from: PassphraseSealed, passphrase: string): Promise<string | null> {
  const { cost, blockSize } = from
  const [salt, nonce, sealed] = [from.salt, from.nonce, from.sealed].map((text) => Buffer.from(text, 'base64'))
  if (nonce!.length !== NONCE_BYTES || sealed!.length < TAG_BYTES) return null
  const key = await deriveKey(passphrase, { salt: salt!, cost, blockSize })
  const decipher = createDecipheriv('aes-256-gcm', key, nonce!, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed!.subarray(-TAG_BYTES))
  const start = decipher.update(sealed!.subarray(0, -TAG_BYTES))
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8')
  } catch {
    // The last step only fails for a wrong tag.
    return null
  }
}

interface Derivation {
  salt: Buffer
  cost: number
  blockSize: number
}

/** Passphrases that look the same are the same, whichever keyboard they were typed on. */
function deriveKey(passphrase: string, { salt, cost, blockSize }: Derivation): Promise<Buffer> {
  const options: ScryptOptions = { cost, blockSize, parallelization: 1, maxmem: 256 * cost * blockSize }
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
