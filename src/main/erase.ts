import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Cli, CommandError, EXIT, exitCodeFor } from '../cli/index.ts'
import { eraseAuthor, finishErasures } from '../commands/erasure/erase-author.ts'
import { planErasure } from '../commands/erasure/plan-erasure.ts'
import type { ErasurePlan } from '../domain/erasure/erasure-plan.ts'
import { isRefusal } from '../domain/refusal/refusal.ts'
import { numbered } from '../kernel/figures.ts'
import { exportAuthor } from '../queries/erasure/export-author.ts'
import { countHoldings } from '../store/erasure/author-posts.ts'
import { countNotes, findAccounts } from '../store/erasure/erase-accounts.ts'
import { withInstallation } from './administration.ts'
import type { Installation } from './installation.ts'

export interface EraseOptions {
  yes: boolean
  dryRun: boolean
}

/** Shows what is held about an author and erases it after a yes. Continues erasures that were interrupted first. */
export function erase(author: string, { yes, dryRun }: EraseOptions, cli: Cli): Promise<void> {
  return withInstallation(async ({ services }) => {
    const { terminal } = cli
    if (!dryRun && (await finishErasures(services)) > 0)
      terminal.say('An earlier erasure was interrupted; it is done now.')
    const plan = await planned(services, author)
    for (const line of await described(services, plan)) terminal.say(line)
    if (dryRun) return terminal.say('Nothing was changed.')
    if (!yes && !(await isConfirmed(cli))) throw new CommandError('Nothing was changed.', EXIT.interrupted)
    const { posts, mentions, workspaces } = await eraseAuthor(services, plan)
    terminal.say(
      `Erased ${numbered(posts, 'post')} and ${numbered(mentions, 'mention')} in ` +
        `${numbered(workspaces, 'workspace')}. New posts of this author are not stored. Backups made before still ` +
        'hold the author.',
    )
  })
}

/** Writes what is held about an author as JSON lines into a new file that only this user may read. */
export function exportHeld(author: string, name: string, { terminal }: Cli): Promise<void> {
  return withInstallation(async ({ services }) => {
    const plan = await planned(services, author)
    const lines = await writeLines(resolve(name), exportAuthor(services.db, plan, services.clock.now()))
    terminal.say(`Wrote ${numbered(lines, 'line')} to ${name}. Read it before you hand it out.`)
  })
}

type Services = Installation['services']

async function planned(services: Services, author: string): Promise<ErasurePlan> {
  const plan = await planErasure(services, author)
  if (isRefusal(plan)) throw new CommandError(plan.message, exitCodeFor(plan.status))
  return plan
}

async function described({ db }: Services, plan: ErasurePlan): Promise<string[]> {
  const [{ posts, mentions, workspaces, deliveries }, accounts] = await Promise.all([
    countHoldings(db, plan),
    findAccounts(db, plan),
  ])
  const people = [...accounts.values()].reduce((sum, ids) => sum + ids.length, 0)
  const { platform, ids, handles, urls, names } = plan
  const known = [...new Set([...ids, ...handles, ...urls, ...names])]
  return [
    `Author at ${platform}: ${known.join(', ')}`,
    `${numbered(posts, 'post')}, ${numbered(mentions, 'mention')} in ${numbered(workspaces, 'workspace')}, ` +
      `${numbered(deliveries, 'logged delivery', 'logged deliveries')}, ` +
      `${numbered(people, 'entry', 'entries')} among people, ` +
      `${await countNotes(db, accounts)} with notes, tags or a mute`,
  ]
}

async function isConfirmed({ stdin, terminal, signal }: Cli): Promise<boolean> {
  if (stdin.isTTY !== true) throw new CommandError('Nothing was changed: give --yes outside a terminal.', EXIT.usage)
  const reader = createInterface({ input: stdin })
  // A question has no answer after the end of input.
  const ended = once(reader, 'close').then(() => '')
  try {
    const answer = reader.question('', { signal })
    terminal.ask('Erase all of this for good? Type yes: ')
    return (await Promise.race([answer, ended])).trim().toLowerCase() === 'yes'
  } finally {
    reader.close()
  }
}

async function writeLines(path: string, values: AsyncIterable<unknown>): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new CommandError(`${path} exists already; name a new file.`, EXIT.usage)
    throw new CommandError(`${path} cannot be written (${error.code}).`, EXIT.usage)
  })
  let lines = 0
  try {
    for await (const value of values) {
      await file.appendFile(`${JSON.stringify(value)}\n`)
      lines += 1
    }
  } catch (error) {
    await rm(path)
    throw error
  } finally {
    await file.close()
  }
  return lines
}
