import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { columnsOf, type DeclaredColumn } from './row-type.ts'
import { sourceOf } from './sources.ts'
import { ComposedAtRunTime, textOf } from './sql-text.ts'

export interface FoundStatement {
  /** The file below `folder`, and the line. */
  place: string
  /** Null when the text is composed at run time. */
  text: string | null
  /** Null when no row type is given, or only the compiler could tell its columns. */
  columns: DeclaredColumn[] | null
}

/** Every statement that the sources below `folder` send: `x.query(sql...)`, `x.run(name, text, ...)`. */
export function statementsIn(folder: string): FoundStatement[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|suite)\.ts$/.test(path))
    .sort()
  return files.flatMap((file) => {
    const found: FoundStatement[] = []
    const source = sourceOf(join(folder, file))
    const visit = (node: ts.Node): void => {
      const sent = ts.isCallExpression(node) ? sentBy(node) : null
      if (sent !== null) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        found.push({ place: `${relative(folder, source.fileName)}:${line + 1}`, ...sent })
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  })
}

function sentBy(call: ts.CallExpression): Omit<FoundStatement, 'place'> | null {
  if (!ts.isPropertyAccessExpression(call.expression)) return null
  const method = call.expression.name.text
  const statement = method === 'query' ? call.arguments[0] : method === 'run' ? call.arguments[1] : undefined
  if (statement === undefined || !isStatement(method, call, statement)) return null
  const rows = call.typeArguments?.[0] ?? rowsOfTemplate(statement)
  return { text: textIn(statement), columns: rows === undefined ? null : columnsOf(rows) }
}

/** The service has other methods of these names; those take no SQL. */
function isStatement(method: string, call: ts.CallExpression, node: ts.Expression): boolean {
  if (method === 'run') return call.arguments[0] !== undefined && ts.isStringLiteral(call.arguments[0])
  return ts.isTaggedTemplateExpression(node)
}

function rowsOfTemplate(node: ts.Expression): ts.TypeNode | undefined {
  return ts.isTaggedTemplateExpression(node) ? node.typeArguments?.[0] : undefined
}

function textIn(statement: ts.Expression): string | null {
  try {
    return textOf(statement)
  } catch (error) {
    if (error instanceof ComposedAtRunTime) return null
    throw error
  }
}
