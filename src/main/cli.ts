import { Command, InvalidArgumentError } from 'commander'
import { ROLES as MEMBER_ROLES, type Role as MemberRole } from '../domain/member/member.ts'
import { StartError } from '../kernel/start-error.ts'
import { VERSION } from './installation.ts'
import type { ListenOptions } from './listen/following.ts'
import { ROLES, type Role } from './role.ts'

/** Commands load their modules when called: `earshot --help` needs no database driver. */
const program = new Command('earshot')
  .description(
    'Self-hosted social listening: collects posts, matches them against your keywords, scores and delivers them.',
  )
  .version(VERSION)
  .showHelpAfterError('(earshot --help lists the commands)')

program
  .command('start')
  .description(
    'start the service: database, collectors, scoring, deliveries and the REST interface, all in this process or ' +
      'one part of it',
  )
  .option(
    '--role <role>',
    'what this process does when several share a database (DATABASE_URL): api serves the REST interface, collect ' +
      'reads the platforms and stores, work scores, delivers and runs jobs; of each there may be several; all does ' +
      'everything',
    role,
    'all',
  )
  .action(async (options: { role: Role }) => (await import('./start.ts')).start(options.role))

program
  .command('migrate')
  .description('bring the database to the schema of this version')
  .action(async () => (await import('./administration.ts')).migrate())

program
  .command('adopt-key')
  .description(
    'after EARSHOT_SECRET_KEY was changed on purpose: make it the key of the database; secrets of channels have ' +
      'to be renewed, headers of webhooks given again, invitations made anew',
  )
  .action(async () => (await import('./administration.ts')).adoptKey())

const keys = program.command('keys').description('credentials of workspaces')
keys
  .command('create')
  .description(
    'create an API key and print it; the workspace is made when there is none of this name, and one that people ' +
      'belong to has to be named by its id',
  )
  .requiredOption('--workspace <org>', 'name of the workspace, 1 to 80 characters, or its id (org_...)', workspaceName)
  .requiredOption('--scope <scope>', 'read or write', scope)
  .option('--name <name>', 'what the key is called in lists', 'command line')
  .action(async (options: { workspace: string; scope: 'read' | 'write'; name: string }) =>
    (await import('./administration.ts')).createKey(options),
  )

program
  .command('grant')
  .description(
    'add a credit to the wallet of a workspace; it counts as a top-up and lifts the limits of the welcome credit',
  )
  .argument('<org>', 'id of the workspace (org_...), or its name if no other has it')
  .argument('<cents>', 'whole US cents, 1 to 100000000', cents)
  .action(async (org: string, amount: number) => (await import('./administration.ts')).grant(org, amount))

program
  .command('invite')
  .description(
    'print a link by which somebody joins a workspace; the way in for the first owner of one that nobody belongs to',
  )
  .argument('<org>', 'id of the workspace (org_...), or its name if no other has it')
  .argument('<email>', 'their address; the link is not mailed')
  .option('--role <role>', 'owner, admin or member; owner where the workspace has none yet, else member', memberRole)
  .action(async (org: string, email: string, options: { role?: MemberRole }) =>
    (await import('./administration.ts')).invite(org, email, options.role ?? null),
  )

program
  .command('sign-in-link')
  .description('print a link by which somebody sets a new password and is signed in, once, within an hour')
  .argument('<email>', 'address of their account')
  .action(async (email: string) => (await import('./administration.ts')).signInLink(email))

program
  .command('unsuppress')
  .description('let channels write again to an address that bounced or was reported to have had spam')
  .argument('<email>', 'the address')
  .action(async (email: string) => (await import('./administration.ts')).unsuppress(email))

const ledger = program.command('ledger').description('the books of the wallets')
ledger
  .command('verify')
  .description(
    'work the money of every workspace out anew from what was charged and paid; ends with code 1 when anything ' +
      'does not add up',
  )
  .action(async () => (await import('./ledger.ts')).verify())

program
  .command('model-costs')
  .description('show what scoring by the language model cost, by day and workspace')
  .option('--days <days>', 'how many days back, today among them, 1 to 366', days, 30)
  .action(async (options: { days: number }) => (await import('./model-costs.ts')).modelCosts(options.days))

program
  .command('listen')
  .description(
    'while developing: follow what an installation sends through its webhook channels from now on, and send each ' +
      'delivery to an address of yours as well',
  )
  .requiredOption('--forward-to <url>', 'where to, such as http://localhost:3000/hook')
  .option('--channel <dest>', 'one webhook channel (dest_...); all of them unless told otherwise')
  .option(
    '--key <key>',
    'an API key of the workspace (ref_...), one that may only read is enough; else the setting EARSHOT_API_KEY',
  )
  .option('--url <url>', 'address of the installation; else the setting PUBLIC_URL, else http://localhost:4400')
  .option('--secret <secret>', 'what to sign with (whsec_...); a new one is made and printed unless told otherwise')
  .action(
    async ({ key = process.env['EARSHOT_API_KEY'], url = process.env['PUBLIC_URL'], ...options }: ListenOptions) =>
      (await import('./listen/listen.ts')).listen({ ...options, ...(key ? { key } : {}), ...(url ? { url } : {}) }),
  )

program
  .command('doctor')
  .description(
    'say whether anything is wrong (then it ends with code 1), how database, mail, payments, platforms and ' +
      'channels fare, and what is set',
  )
  .option('--all', 'show the settings that have their default, too')
  .option(
    '--recount',
    'count the statistics of every keyword anew from its mentions instead, and end with code 1 where one is off; ' +
      'changes nothing',
  )
  .action(async ({ recount, all = false }: { recount?: true; all?: boolean }) =>
    recount ? (await import('./recount.ts')).recount() : (await import('./doctor.ts')).doctor({ all }),
  )

try {
  await program.parseAsync()
} catch (error) {
  // A StartError is for the operator; any other error is a defect and shows its stack.
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
}

function workspaceName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ')
  if (name.length === 0 || [...name].length > 80) throw new InvalidArgumentError('a name has 1 to 80 characters')
  return name
}

function role(text: string): Role {
  const known = ROLES.find((item) => item === text)
  if (known === undefined) throw new InvalidArgumentError(`it is one of ${ROLES.join(', ')}`)
  return known
}

function memberRole(text: string): MemberRole {
  const known = MEMBER_ROLES.find((item) => item === text)
  if (known === undefined) throw new InvalidArgumentError(`it is one of ${MEMBER_ROLES.join(', ')}`)
  return known
}

function scope(text: string): 'read' | 'write' {
  if (text !== 'read' && text !== 'write') throw new InvalidArgumentError('it is read or write')
  return text
}

function cents(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > 100_000_000)
    throw new InvalidArgumentError('it is a whole number from 1 to 100000000')
  return Number(text)
}

function days(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 366)
    throw new InvalidArgumentError('it is a whole number from 1 to 366')
  return Number(text)
}
