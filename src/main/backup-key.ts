import {
  openByPassphrase,
  type PassphraseSealed,
  passphraseSealedSchema,
  sealByPassphrase,
} from '../kernel/passphrase.ts'
import { StartError } from '../kernel/start-error.ts'
import { existingKey } from './sealing-key.ts'
import type { Settings } from './settings.ts'

/** The key of this installation for its backup. */
export function sealKey({ secretKey, dataDir }: Settings, passphrase: string): Promise<PassphraseSealed> {
  const key = existingKey(secretKey, dataDir)
  if (key === null)
    throw new StartError(
      `There is no key for the backup: set EARSHOT_SECRET_KEY, or put secret.key back into ${dataDir}.`,
    )
  return sealByPassphrase(key, passphrase)
}

export async function openKey(sealedKey: unknown, passphrase: string): Promise<string> {
  const { success, data } = passphraseSealedSchema.safeParse(sealedKey)
  const key = success ? await openByPassphrase(data, passphrase) : null
  if (key === null) throw new StartError('The key in the backup does not open with this passphrase.')
  return key
}
