/**
 * Judges the prose of the README, the pages under docs, the descriptions of the API and the messages of the log by the
 * rules of docs/style.md that a program can check.
 *
 * npm run prose -- --all also shows the findings that scripts/prose/exceptions.json allows.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Finding, findingsIn } from './prose/rules.ts'
import { allTexts } from './prose/texts.ts'

const EXCEPTIONS = new URL('./prose/exceptions.json', import.meta.url)

export type Exceptions = Readonly<Record<string, number>>

/** The findings of every file that has more of them than it may. */
export function tooMany(findings: readonly Finding[], exceptions: Exceptions): Finding[] {
  const counts = countsOf(findings)
  return findings.filter(({ file }) => counts.get(file)! > (exceptions[file] ?? 0))
}

function countsOf(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { file } of findings) counts.set(file, (counts.get(file) ?? 0) + 1)
  return counts
}

function main(args: readonly string[]): void {
  const exceptions = JSON.parse(readFileSync(EXCEPTIONS, 'utf8')) as Exceptions
  const findings = findingsIn(allTexts())
  const counts = countsOf(findings)
  const shown = args.includes('--all') ? findings : tooMany(findings, exceptions)
  for (const { place, rule, message } of shown) console.log(`${place}: ${rule}: ${message}`)
  for (const [file, allowed] of Object.entries(exceptions))
    if ((counts.get(file) ?? 0) < allowed)
      console.log(`${file} may have ${allowed} findings and has ${counts.get(file) ?? 0}: lower its exception.`)
  const bad = tooMany(findings, exceptions).length
  console.log(bad === 0 ? 'prose: nothing to change' : `prose: ${bad} findings in files that have too many`)
  if (bad > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
