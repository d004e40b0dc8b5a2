import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { tailOf } from './processes.mjs'

/** Scenarios that the suite runs along although no revision requires them: extensions, and what is still pending. */
const NOT_REQUIRED = /^(tasks-.*|skills-.*|server-sse-polling|http-custom-header-server-validation)$/

/** The checks that a run of the conformance suite stored, each with the scenario that it belongs to. */
export function checksIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => basename(name) === 'checks.json')
  return files.flatMap((name) => {
    const scenario = basename(dirname(name))
      .replace(/^server-/, '')
      .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    return JSON.parse(readFileSync(join(folder, name), 'utf8')).map((check) => ({ ...check, scenario }))
  })
}

/** What a file of excuses names: scenario and check. */
export function excusesIn(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => line.match(/^\s+- (\S+:\S+)$/)?.[1] ?? [])
}

/**
 * What came of a run: how many checks passed, how many failed as they are excused to, and everything else that is
 * wrong. Warnings count as failures. A check that nobody excused is a failure also where the suite ends well, and an
 * excuse that is not needed where the suite says so.
 */
export function verdictOf(result, checks, excuses) {
  const counted = checks.filter(({ scenario }) => !NOT_REQUIRED.test(scenario))
  const passed = counted.filter(({ status }) => status === 'SUCCESS').length
  const unmet = counted.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  const isExcused = ({ scenario, id }) => excuses.includes(`${scenario}:${id}`)
  const excused = new Set(unmet.filter(isExcused).map(({ scenario, id }) => `${scenario}:${id}`)).size
  const verdict = (failures) => ({ passed, excused, failures })
  if (result.timedOut) return verdict([`it did not end in time: ${tailOf(result)}`])
  if (passed === 0) return verdict([`nothing was checked: ${tailOf(result)}`])
  const failures = unmet
    .filter((check) => !isExcused(check))
    .map(
      ({ scenario, id, status, errorMessage }) => `${status} ${scenario}:${id}: ${errorMessage ?? 'no reason given'}`,
    )
  if (failures.length > 0 || result.code === 0) return verdict(failures)
  const named = result.output.split('\n').flatMap(
    (line) =>
      line
        .trim()
        .match(/^([✗✓]) (\S+)$/)
        ?.slice(1, 3)
        .join(' ') ?? [],
  )
  if (named.length === 0) return verdict([tailOf(result)])
  return verdict(named.map((line) => line.replace('✗', 'not excused:').replace('✓', 'excused but passed:')))
}
