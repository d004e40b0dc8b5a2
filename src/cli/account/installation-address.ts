import { canParse } from '../../kernel/can-parse.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'

/** The address of the installation without a slash at its end: as given, else by the environment. */
export function installationAddress(
  env: Readonly<Record<string, string | undefined>>,
  given: string | undefined,
): string {
  const text = given ?? (env['EARSHOT_URL'] || env['PUBLIC_URL'] || 'http://localhost:4400')
  if (!/^https?:\/\//i.test(text) || !canParse(text))
    throw new CommandError(
      `The address of the installation must begin with http:// or https://, and is ${text}.`,
      EXIT.usage,
    )
  return new URL(text).href.replace(/\/+$/, '')
}
