import { type Command, InvalidArgumentError } from 'commander'
import { type Cli, installationAddress } from '../cli/index.ts'
import { ROLES as MEMBER_ROLES, type Role as MemberRole } from '../domain/member/member.ts'
import { canParse } from '../kernel/can-parse.ts'
import type { ListenOptions } from './listen/following.ts'
import { PROCESS_ROLES, type ProcessRole } from './role.ts'

/** Commands of the operator load their modules when called: `earshot --help` needs no database driver. */
export function addOperatorCommands(program: Command, cli: Cli): void {
  program.commandsGroup('Running an installation, on its machine:')
  addRunning(program)
  addBackups(program, cli)
  addChecks(program)
  addAccounts(program)
  addErasure(program, cli)
  addMove(program, cli)
}

function addRunning(program: Command): void {
  program
    .command('start')
    .description('start the service: database, collectors, scoring, deliveries and the API, all or one role of them')
    .option(
      '--role <role>',
      'role of this process if several share a database (DATABASE_URL): api serves the API, collect ' +
        'reads platforms, work scores, delivers and runs jobs, all does these; gather publishes live platforms ' +
        'to the post stream (POST_STREAM_URL); door passes requests on to several installations (CELLS); each role ' +
        'may have several processes',
      role,
      'all',
    )
    .action(async (options: { role: ProcessRole }) => (await import('./start.ts')).start(options.role))

  program
    .command('migrate')
    .description('migrate the database to this version')
    .action(async () => (await import('./administration.ts')).migrate())

  program
    .command('adopt-key')
    .description(
      'accept a changed EARSHOT_SECRET_KEY: afterwards rotate channel secrets, set webhook headers ' +
        'again and repeat invitations',
    )
    .action(async () => (await import('./administration.ts')).adoptKey())
}

function addBackups(program: Command, cli: Cli): void {
  program
    .command('backup')
    .description('write everything in the database, as it is at one moment, to one file; the service may run')
    .argument('<file>', 'the new file, such as earshot.backup')
    .option('--with-key', 'also the secret key, sealed by a passphrase: BACKUP_PASSPHRASE, or one that is asked for')
    .action(async (file: string, { withKey = false }: { withKey?: boolean }) =>
      (await import('./backup.ts')).backup(file, { withKey }, cli),
    )

  program
    .command('restore')
    .description('restore a backup into an empty installation, in which no process runs; refused otherwise')
    .argument('<file>', 'the file that earshot backup has written')
    .option('--other-key', 'restore although the key of the secrets is lost; see adopt-key')
    .action(async (file: string, { otherKey = false }: { otherKey?: boolean }) =>
      (await import('./restore.ts')).restore(file, { otherKey }, cli),
    )
}

function addChecks(program: Command): void {
  const ledger = program.command('ledger').description('check the ledger')
  ledger
    .command('verify')
    .description('recompute the balance of every workspace from charges and payments; exits with 1 if anything differs')
    .action(async () => (await import('./ledger.ts')).verify())

  program
    .command('model-costs')
    .description('show the cost of the language model by day and workspace')
    .option('--days <days>', 'number of days, today included, 1 to 366', days, 30)
    .action(async (options: { days: number }) => (await import('./model-costs.ts')).modelCosts(options.days))

  program
    .command('doctor')
    .description(
      'check database, mail, payments, platforms and channels and show the settings; exits with 1 if ' +
        'anything is wrong',
    )
    .option('--all', 'also show settings with default values')
    .option(
      '--recount',
      'instead recount the statistics of every keyword from its mentions, without changes; exits with ' +
        '1 if any differs',
    )
    .action(async ({ recount, all = false }: { recount?: true; all?: boolean }) =>
      recount ? (await import('./recount.ts')).recount() : (await import('./doctor.ts')).doctor({ all }),
    )
}

function addAccounts(program: Command): void {
  const keys = program.command('keys').description('manage API keys')
  keys
    .command('create')
    .description(
      'create an API key and print it; a new name creates a workspace, a workspace with members must ' +
        'be named by its id',
    )
    .requiredOption(
      '--workspace <org>',
      'name of the workspace, 1 to 80 characters, or its id (org_...)',
      workspaceName,
    )
    .requiredOption('--scope <scope>', 'read or write', scope)
    .option('--name <name>', 'name of the key in lists', 'command line')
    .action(async (options: { workspace: string; scope: 'read' | 'write'; name: string }) =>
      (await import('./administration.ts')).createKey(options),
    )

  program
    .command('grant')
    .description("add credit to a workspace's wallet, like a top-up: it lifts the limits of the welcome credit")
    .argument('<org>', 'id of the workspace (org_...), or its name if unique')
    .argument('<cents>', 'whole US cents, 1 to 100000000', cents)
    .action(async (org: string, amount: number) => (await import('./administration.ts')).grant(org, amount))

  program
    .command('invite')
    .description('print a link to join a workspace; needed for the first owner of a workspace without members')
    .argument('<org>', 'id of the workspace (org_...), or its name if unique')
    .argument('<email>', 'e-mail address of the person; the link is not mailed')
    .option(
      '--role <role>',
      'owner, admin or member; default: owner if the workspace has none, else member',
      memberRole,
    )
    .action(async (org: string, email: string, options: { role?: MemberRole }) =>
      (await import('./administration.ts')).invite(org, email, options.role ?? null),
    )

  program
    .command('sign-in-link')
    .description('print a link to set a new password and sign in, valid once for an hour')
    .argument('<email>', 'e-mail address of the account')
    .action(async (email: string) => (await import('./administration.ts')).signInLink(email))

  program
    .command('unsuppress')
    .description('allow mail again to an address that bounced or reported spam')
    .argument('<email>', 'the address')
    .action(async (email: string) => (await import('./administration.ts')).unsuppress(email))
}

function addErasure(program: Command, cli: Cli): void {
  program
    .command('erase')
    .description('erase everything of one author from every workspace, for good, and store no new posts of them')
    .argument('<author>', 'platform and id or handle, such as hackernews:pg, or the link of a profile')
    .option('--dry-run', 'only show what is held')
    .option('--yes', 'do not ask')
    .option('--export <file>', 'instead write what is held to a new file, as JSON lines, and erase nothing')
    .action(async (author: string, options: { dryRun?: true; yes?: true; export?: string }) => {
      const { erase, exportHeld } = await import('./erase.ts')
      const { dryRun = false, yes = false, export: file } = options
      await (file === undefined ? erase(author, { dryRun, yes }, cli) : exportHeld(author, file, cli))
    })
}

function addMove(program: Command, cli: Cli): void {
  const workspace = program.command('workspace').description('move a workspace between installations')
  workspace
    .command('move')
    .description(
      'move a workspace with its keys, history and balance to another cell, which has a database of its own; may be ' +
        'repeated, and goes on where it was interrupted',
    )
    .argument('<org>', 'id of the workspace (org_...), or its name if unique')
    .requiredOption('--to <url>', "address of the other cell's database (postgres://...)")
    .option('--at <url>', 'public address of the other cell, which requests here are answered with', publicUrl)
    .option('--cancel', 'instead end a move that has not left this cell; the workspace goes on here')
    .action(async (org: string, { to, at, cancel = false }: { to: string; at?: string; cancel?: boolean }) => {
      if (cancel === (at !== undefined)) program.error('error: give either --at or --cancel')
      await (await import('./move.ts')).moveCommand(org, { to, at: at ?? null }, cli)
    })
}

/** Commands for developers, which work with any installation. */
export function addDeveloperCommands(program: Command, cli: Cli): void {
  addListen(program, cli)
  addImport(program, cli)
}

const ADDRESS = 'address of the installation; default: EARSHOT_URL, else PUBLIC_URL, else http://localhost:4400'

function addListen(program: Command, cli: Cli): void {
  program
    .command('listen')
    .description('for development: forward new webhook deliveries of an installation to your own address')
    .requiredOption('--forward-to <url>', 'address to forward to, such as http://localhost:3000/hook')
    .option('--channel <dest>', 'one webhook channel (dest_...); default: all')
    .option('--key <key>', 'API key of the workspace (ref_...), read scope is enough; default: EARSHOT_API_KEY')
    .option('--url <url>', ADDRESS)
    .option('--secret <secret>', 'signing secret (whsec_...); default: a new one, which is printed')
    .action(async ({ key = cli.env['EARSHOT_API_KEY'], url: given, ...options }: ListenFlags) => {
      const url = installationAddress(cli.env, given)
      const { listen } = await import('./listen/listen.ts')
      await listen({ ...options, url, ...(key ? { key } : {}) }, cli)
    })
}

type ListenFlags = Omit<ListenOptions, 'url'> & { url?: string }

function addImport(program: Command, cli: Cli): void {
  const command = program
    .command('import')
    .description(
      'make a new workspace of an archive (GET /v1/workspace/export), on the machine of the installation; or ' +
        "move the settings of another vendor's workspace",
    )
    .argument('<file>', 'the archive; keywords arrive muted and channels disabled')
    .option(
      '--keep-balance',
      'where usage is charged: the workspace keeps the balance of the archive; without it a ledger entry takes it away',
    )
    .action(async (file: string, { keepBalance = false }: { keepBalance?: boolean }) =>
      (await import('./import-archive.ts')).importArchive(file, { keepBalance }),
    )
  command
    .command('octolens')
    .description(
      'read keywords, feeds, filters and company over the v2 interface of Octolens and make them here; tells what ' +
        'it would do unless --apply is given',
    )
    .option('--key <key>', 'API key of the other workspace (ak_...), read scope is enough; default: OCTOLENS_API_KEY')
    .option('--to-key <key>', 'API key of the workspace here (ref_...), write scope; default: EARSHOT_API_KEY')
    .option('--url <url>', ADDRESS)
    .option('--from <url>', 'address of the other interface', 'https://app.octolens.com/api/v2')
    .option('--apply', 'make the changes; may be repeated, and continues after a break')
    .action(
      async ({
        key = cli.env['OCTOLENS_API_KEY'],
        toKey = cli.env['EARSHOT_API_KEY'],
        url,
        from,
        apply = false,
      }: {
        key?: string
        toKey?: string
        url?: string
        from: string
        apply?: boolean
      }) => {
        const ours = { address: installationAddress(cli.env, url), key: toKey }
        const { importFromOctolens } = await import('./import/import-octolens.ts')
        await importFromOctolens({ theirs: { address: from, key }, ours, apply }, cli)
      },
    )
}

function publicUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !canParse(text))
    throw new InvalidArgumentError('must begin with https:// or http://')
  return text.replace(/\/+$/, '')
}

function workspaceName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ')
  if (name.length === 0 || [...name].length > 80) throw new InvalidArgumentError('must have 1 to 80 characters')
  return name
}

function role(text: string): ProcessRole {
  const known = PROCESS_ROLES.find((item) => item === text)
  if (known === undefined) throw new InvalidArgumentError(`must be one of ${PROCESS_ROLES.join(', ')}`)
  return known
}

function memberRole(text: string): MemberRole {
  const known = MEMBER_ROLES.find((item) => item === text)
  if (known === undefined) throw new InvalidArgumentError(`must be one of ${MEMBER_ROLES.join(', ')}`)
  return known
}

function scope(text: string): 'read' | 'write' {
  if (text !== 'read' && text !== 'write') throw new InvalidArgumentError('must be read or write')
  return text
}

function cents(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > 100_000_000)
    throw new InvalidArgumentError('must be a whole number from 1 to 100000000')
  return Number(text)
}

function days(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 366)
    throw new InvalidArgumentError('must be a whole number from 1 to 366')
  return Number(text)
}
