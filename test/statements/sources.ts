import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

const parsed = new Map<string, ts.SourceFile>()

/** The syntax tree of a file, read once. */
export function sourceOf(path: string): ts.SourceFile {
  const known = parsed.get(path)
  if (known !== undefined) return known
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  parsed.set(path, source)
  return source
}

export type Declaration =
  | ts.VariableDeclaration
  | ts.FunctionDeclaration
  | ts.ParameterDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration

/** What declares this name where it is used: in a block around it, in its file, or in the file that it is imported from. */
export function declarationOf(name: string, from: ts.Node): Declaration | null {
  for (let scope: ts.Node | undefined = from.parent; scope !== undefined; scope = scope.parent) {
    const found = declaredIn(name, scope)
    if (found !== null) return found
  }
  return importedAs(name, from.getSourceFile())
}

function declaredIn(name: string, scope: ts.Node): Declaration | null {
  if (ts.isFunctionLike(scope)) {
    return scope.parameters.find((parameter) => namesIn(parameter.name).has(name)) ?? null
  }
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) return null
  for (const statement of scope.statements) {
    if (ts.isVariableStatement(statement)) {
      const found = statement.declarationList.declarations.find((declaration) => namesIn(declaration.name).has(name))
      if (found !== undefined) return found
    }
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    if (isNamed && statement.name?.text === name) return statement
  }
  return null
}

function namesIn(name: ts.BindingName): Set<string> {
  if (ts.isIdentifier(name)) return new Set([name.text])
  return new Set(name.elements.flatMap((element) => (ts.isBindingElement(element) ? [...namesIn(element.name)] : [])))
}

function importedAs(name: string, source: ts.SourceFile): Declaration | null {
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const named = statement.importClause?.namedBindings
    if (named === undefined || !ts.isNamedImports(named) || !statement.moduleSpecifier.text.startsWith('.')) continue
    const element = named.elements.find((element) => element.name.text === name)
    if (element === undefined) continue
    const path = join(dirname(source.fileName), statement.moduleSpecifier.text)
    const original = element.propertyName?.text ?? name
    return declaredIn(original, sourceOf(path)) ?? importedAs(original, sourceOf(path))
  }
  return null
}
