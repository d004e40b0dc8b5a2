import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** An exported function that takes a text, as its source says. */
export interface TextFunction {
  /** Below src. */
  file: string
  name: string
  /** The type of each parameter that has to be given, as it is written, white space made single. */
  parameters: readonly string[]
}

/** Types of parameters that are a text, or texts and nothing else. */
const TEXTS = /^(?:readonly )?(?:string|CsvCell)(?:\[\])?(?: \| (?:null|undefined))*$|^unknown$|^Iterable<string>$/

/**
 * Every exported function below src that takes a text and answers at once: what waits for something is no pure
 * function. They are found by reading the sources without resolving them, which takes a second instead of half a
 * minute.
 */
export function textFunctions(folder: string): TextFunction[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|suite)\.ts$/.test(path))
    .sort()
    .flatMap((file) => functionsIn(file, readFileSync(join(folder, file), 'utf8')))
    .filter(({ parameters }) => parameters.some((type) => TEXTS.test(type)))
}

export function isText(type: string): boolean {
  return TEXTS.test(type)
}

function functionsIn(file: string, text: string): TextFunction[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  return source.statements.filter(isExported).flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement))
      return statement.name === undefined ? [] : described(file, statement.name.text, statement)
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer !== undefined && ts.isArrowFunction(initializer) ? described(file, name.getText(), initializer) : [],
    )
  })
}

function isExported(statement: ts.Statement): boolean {
  return hasModifier(statement, ts.SyntaxKind.ExportKeyword)
}

function described(file: string, name: string, made: ts.FunctionDeclaration | ts.ArrowFunction): TextFunction[] {
  const waits =
    hasModifier(made, ts.SyntaxKind.AsyncKeyword) ||
    /^(?:Promise|AsyncIterable|AsyncGenerator)</.test(made.type?.getText() ?? '')
  if (waits) return []
  const required = made.parameters.filter(
    (parameter) =>
      parameter.questionToken === undefined &&
      parameter.initializer === undefined &&
      parameter.dotDotDotToken === undefined,
  )
  return [{ file, name, parameters: required.map(({ type }) => (type?.getText() ?? '').replace(/\s+/g, ' ')) }]
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false)
}
