import type { Command } from 'commander'
import { examples } from '../cli/index.ts'

/** For the help of the commands that run on the machine of an installation, and of those for developers. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  start: ['earshot start', 'PORT=4401 earshot start --role collect'],
  backup: ['earshot backup earshot.backup', 'earshot backup --with-key earshot.backup'],
  restore: ['earshot restore earshot.backup'],
  doctor: ['earshot doctor', 'earshot doctor --all'],
  'model-costs': ['earshot model-costs --days 7'],
  'keys create': ['export EARSHOT_API_KEY=$(earshot keys create --workspace "My company" --scope write)'],
  grant: ['earshot grant "My company" 5000'],
  invite: ['earshot invite "My company" ada@example.com --role owner'],
  'sign-in-link': ['earshot sign-in-link ada@example.com'],
  unsuppress: ['earshot unsuppress ada@example.com'],
  erase: [
    'earshot erase --dry-run hackernews:pg',
    'earshot erase --export author.jsonl https://news.ycombinator.com/user?id=pg',
    'earshot erase --yes hackernews:pg',
  ],
  'workspace move': [
    'earshot workspace move "My company" --to postgres://earshot@db2/earshot --at https://eu2.example.com',
    'earshot workspace move org_... --to postgres://earshot@db2/earshot --cancel',
  ],
  listen: ['earshot listen --forward-to http://localhost:3000/hook'],
  'import octolens': [
    'earshot import octolens --key ak_... --to-key ref_...',
    'earshot import octolens --key ak_... --to-key ref_... --apply',
  ],
}

export function addOperatorExamples(program: Command): void {
  for (const [path, lines] of Object.entries(EXAMPLES)) {
    const command = path
      .split(' ')
      .reduce((outer, name) => outer.commands.find((inner) => inner.name() === name) ?? outer, program)
    examples(command, lines)
  }
}
