import type { Intent } from '../../src/domain/mention/classification.ts'
import { numberedByPurpose, readSeeds } from './seed-file.ts'

export interface PurposeSeed {
  text: string
  purpose: Intent | 'none'
}

/**
 * Sentences for purposes and languages of which the labelled sets hold little or nothing, with names filled in. One
 * teaches its own purpose, and that it has none of the others; `none` has none.
 */
export function purposeSeeds(): PurposeSeed[] {
  return numberedByPurpose(readSeeds('purposes', ['purpose', 'text'])).map(([{ purpose, text }, number]) => ({
    text: text.replaceAll('{}', NAMES[number % NAMES.length]!),
    purpose: purpose as PurposeSeed['purpose'],
  }))
}

/** What stands for `{}`, in turn. */
const NAMES = ['Acme', 'Initech', 'the app', 'Umbra', 'Contoso', 'my provider', '#acme', 'Fabrikam']
