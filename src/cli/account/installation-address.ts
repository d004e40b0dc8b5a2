import { canParse } from '../../kernel/can-parse.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'

/** The address of the installation without a slash at its end: as given, else by the environment. */
export function installationAddress(
  env: Readonly<Record<string, string | undefined>>,
  given: string | undefined,
): string {
  const setting = ['EARSHOT_URL', 'PUBLIC_URL'].find((name) => env[name])
  const text = given ?? (setting === undefined ? 'http://localhost:4400' : env[setting]!)
  const source = given === undefined && setting !== undefined ? setting : 'The address of the installation'
  if (!/^https?:\/\/[^?#]+$/i.test(text) || !canParse(text))
    throw new CommandError(
      `${source} must be an http or https address without a query, such as https://earshot.example.com, and is ` +
        `${text}.`,
      EXIT.usage,
    )
  return new URL(text).href.replace(/\/+$/, '')
}
