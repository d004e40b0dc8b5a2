import { type Cli, EXIT } from '../../cli/index.ts'
import { systemClock } from '../../kernel/clock.ts'
import { COMPAT_ROOT } from '../../surfaces/compat/paths.ts'
import { stop } from '../listen/following.ts'
import { JsonClient, type Outside } from './json-client.ts'
import { moveFeeds } from './move-feeds.ts'
import { moveKeywords } from './move-keywords.ts'
import { moveCompany, moveFilters } from './move-settings.ts'
import { type Moved, Moving } from './moving.ts'
import { readWorkspace } from './workspace.ts'

interface Side {
  address: string
  key?: string | undefined
}

export interface ImportOptions {
  theirs: Side
  /** The address of an installation, without the path of the interface and a slash at its end. */
  ours: Side
  /** Without it nothing is changed. */
  apply: boolean
}

export async function importFromOctolens(
  options: ImportOptions,
  { terminal, fetch }: Pick<Cli, 'terminal' | 'fetch'>,
): Promise<void> {
  const { failed } = await moveWorkspace(options, { clock: systemClock, fetch, say: (line) => terminal.say(line) })
  if (failed > 0) process.exitCode = 1
}

/** Reads both workspaces over the same interface and makes here what is missing. */
export async function moveWorkspace({ theirs, ours, apply }: ImportOptions, outside: Outside): Promise<Moved> {
  const { say } = outside
  if (!theirs.key)
    stop('The key of the other workspace is required: use --key ak_... or set OCTOLENS_API_KEY.', EXIT.notSignedIn)
  if (!ours.key)
    stop('A key of the workspace here is required: use --to-key ref_... or set EARSHOT_API_KEY.', EXIT.notSignedIn)
  const client = new JsonClient(`${ours.address}${COMPAT_ROOT}`, ours.key, outside)
  const from = await readWorkspace(
    new JsonClient(theirs.address.replace(/\/+$/, ''), theirs.key, outside),
    'The other workspace',
  )
  const to = await readWorkspace(client, 'The workspace here')
  const moving = new Moving(client, apply, say)
  const numbers = await moveKeywords(from.keywords, to.keywords, moving)
  await moveFeeds(from.feeds, to.feeds, numbers, moving)
  await moveFilters(from.filters, to.filters, moving)
  await moveCompany(from.company, to.company, moving)
  report(moving.moved, apply, say)
  return moving.moved
}

function report({ made, there, failed, left }: Moved, apply: boolean, say: (line: string) => void): void {
  say('')
  if (left.length > 0) say('Not moved, or not whole:')
  for (const line of left) say(`  ${line}`)
  say(`${made} ${apply ? 'made' : 'to make'}, ${there} here already, ${failed} refused, ${left.length} notes.`)
  if (!apply) say('Nothing was changed. Run the command with --apply to make the changes.')
}
