import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** A kind of log line, collected from the calls that write it. */
export interface LoggedEvent {
  name: string
  message: string
  levels: ReadonlySet<string>
  /** Names of fields that are written out at a call; spread fields are not among them. */
  fields: ReadonlySet<string>
}

export interface LogSurvey {
  events: LoggedEvent[]
  /** Calls that break the form `log.level({ event: 'noun.verb', ... }, 'Message')`, as `file:line reason`. */
  problems: string[]
}

/** Reads every call of a log in the sources. An event has one message wherever it is logged. */
export function surveyLogs(folder: string = PROJECT): LogSurvey {
  const events = new Map<string, LoggedEvent & { levels: Set<string>; fields: Set<string> }>()
  const problems: string[] = []
  for (const path of sourcesIn(folder)) {
    const source = ts.createSourceFile(path, readFileSync(join(folder, path), 'utf8'), ts.ScriptTarget.Latest, true)
    for (const call of logCallsIn(source)) {
      const line = `${path}:${source.getLineAndCharacterOfPosition(call.getStart()).line + 1}`
      const read = readCall(call)
      if (typeof read === 'string') {
        problems.push(`${line} ${read}`)
        continue
      }
      const known = events.get(read.name)
      if (known === undefined) events.set(read.name, read)
      else if (known.message !== read.message) problems.push(`${line} ${read.name} has another message elsewhere`)
      for (const level of read.levels) known?.levels.add(level)
      for (const field of read.fields) known?.fields.add(field)
    }
  }
  return { events: [...events.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems }
}

/** Paths of the sources without tests, from the folder. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|suite)\.ts$/.test(path))
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .sort()
}

function logCallsIn(source: ts.SourceFile): ts.CallExpression[] {
  const calls: ts.CallExpression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isLogCall(node.expression)) calls.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return calls
}

/** `log.warn(...)` or `log[isGone ? 'info' : 'warn'](...)`. */
function isLogCall(callee: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(callee) && !ts.isElementAccessExpression(callee)) return false
  if (!/(^|\.)log$/.test(callee.expression.getText())) return false
  return ts.isElementAccessExpression(callee) || LEVELS.includes(callee.name.text)
}

function readCall(call: ts.CallExpression) {
  const [fields, message, ...more] = call.arguments
  if (fields === undefined || message === undefined || more.length > 0) return 'has not two arguments'
  if (!ts.isObjectLiteralExpression(fields)) return 'has no object with its event'
  const [first] = fields.properties
  const isEvent = first !== undefined && ts.isPropertyAssignment(first) && first.name.getText() === 'event'
  if (!isEvent || !ts.isStringLiteralLike(first.initializer)) return 'does not begin with its event'
  const name = first.initializer.text
  if (!/^[a-z_]+\.[a-z_]+$/.test(name)) return `${name} is not of the form noun.verb`
  const text = literalText(message)
  if (text === null) return `${name} has a message that is not a literal`
  return { name, message: text, levels: new Set(levelsOf(call.expression)), fields: new Set(fieldNames(fields)) }
}

function levelsOf(callee: ts.Expression): string[] {
  if (ts.isPropertyAccessExpression(callee)) return [callee.name.text]
  return ts.isElementAccessExpression(callee) ? literalsIn(callee.argumentExpression) : []
}

/** The values that an expression of literals and conditions can have, or those of the constant that it names. */
function literalsIn(value: ts.Expression): string[] {
  if (ts.isStringLiteralLike(value)) return [value.text]
  if (ts.isConditionalExpression(value)) return [...literalsIn(value.whenTrue), ...literalsIn(value.whenFalse)]
  if (!ts.isIdentifier(value)) return []
  let found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === value.text && node.initializer !== undefined)
      found = literalsIn(node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(value.getSourceFile())
  return found
}

function fieldNames(fields: ts.ObjectLiteralExpression): string[] {
  return fields.properties.slice(1).flatMap((property) => (property.name ? [property.name.getText()] : []))
}

/** The text of a literal, a sum of literals or a constant of the same file that is one. */
function literalText(value: ts.Expression): string | null {
  if (ts.isStringLiteralLike(value)) return value.text
  if (ts.isBinaryExpression(value)) {
    const [left, right] = [literalText(value.left), literalText(value.right)]
    return left === null || right === null ? null : left + right
  }
  if (!ts.isIdentifier(value)) return null
  for (const statement of value.getSourceFile().statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations)
      if (name.getText() === value.text && initializer !== undefined) return literalText(initializer)
  }
  return null
}

/** The table of docs/generated/events.md. */
export function eventTable(events: readonly LoggedEvent[]): string {
  const rows = events.map(({ name, message, levels, fields }) => {
    const named = [...fields].map((field) => `\`${field}\``).join(', ')
    return `| \`${name}\` | ${[...levels].sort().join(', ')} | ${message.replaceAll('|', '\\|')} | ${named} |`
  })
  return ['| Event | Level | Message | Fields |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
