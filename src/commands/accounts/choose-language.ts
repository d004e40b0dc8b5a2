import { isLanguage, LANGUAGES } from '../../domain/account/language.ts'
import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

/** Chooses the language of the dashboard for a person. Empty follows the browser. */
export async function chooseLanguage(
  { db }: Services,
  userId: Uuid,
  language: string | null,
): Promise<undefined | Refusal<'validation_error'>> {
  if (language !== '' && !isLanguage(language))
    return refuseField('language', `must be ${LANGUAGES.join(' or ')}, or empty to follow the browser`)
  await db.query(sql`update user_account set language = ${language || null} where id = ${userId}`)
  return undefined
}
