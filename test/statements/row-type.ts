import ts from 'typescript'
import { declarationOf } from './sources.ts'

export interface DeclaredColumn {
  name: string
  optional: boolean
}

/** The columns that a row type declares; null when only the compiler could tell. */
export function columnsOf(type: ts.TypeNode): DeclaredColumn[] | null {
  if (ts.isTypeLiteralNode(type)) return membersOf(type.members)
  if (ts.isParenthesizedTypeNode(type)) return columnsOf(type.type)
  if (ts.isIntersectionTypeNode(type)) return joined(type.types.map(columnsOf))
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return null
  const name = type.typeName.text
  const [of, keys] = type.typeArguments ?? []
  if (name === 'Readonly' && of !== undefined) return columnsOf(of)
  if ((name === 'Pick' || name === 'Omit') && of !== undefined && keys !== undefined) {
    const [columns, names] = [columnsOf(of), literalsIn(keys)]
    return columns === null || names === null
      ? null
      : columns.filter((column) => names.has(column.name) === (name === 'Pick'))
  }
  const declaration = declarationOf(name, type)
  if (declaration === null) return null
  if (ts.isTypeAliasDeclaration(declaration)) return columnsOf(declaration.type)
  if (!ts.isInterfaceDeclaration(declaration)) return null
  const above = (declaration.heritageClauses ?? []).flatMap(({ types }) => types).map(inherited)
  return joined([...above, membersOf(declaration.members)])
}

/** What an interface takes over; `Omit` and its like stand there as expressions with type arguments. */
function inherited(type: ts.ExpressionWithTypeArguments): DeclaredColumn[] | null {
  if (!ts.isIdentifier(type.expression)) return null
  const name = type.expression.text
  const [of, keys] = type.typeArguments ?? []
  if ((name === 'Pick' || name === 'Omit') && of !== undefined && keys !== undefined) {
    const [columns, names] = [columnsOf(of), literalsIn(keys)]
    if (columns === null || names === null) return null
    return columns.filter((column) => names.has(column.name) === (name === 'Pick'))
  }
  const declaration = declarationOf(name, type)
  if (declaration === null || !ts.isInterfaceDeclaration(declaration)) return null
  const above = (declaration.heritageClauses ?? []).flatMap(({ types }) => types).map(inherited)
  return joined([...above, membersOf(declaration.members)])
}

function membersOf(members: ts.NodeArray<ts.TypeElement>): DeclaredColumn[] | null {
  const columns: DeclaredColumn[] = []
  for (const member of members) {
    if (!ts.isPropertySignature(member) || member.name === undefined || ts.isComputedPropertyName(member.name))
      return null
    const name = ts.isStringLiteral(member.name) ? member.name.text : member.name.getText()
    columns.push({ name, optional: member.questionToken !== undefined })
  }
  return columns
}

function joined(parts: readonly (DeclaredColumn[] | null)[]): DeclaredColumn[] | null {
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part!)
}

function literalsIn(type: ts.TypeNode): Set<string> | null {
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) return new Set([type.literal.text])
  if (!ts.isUnionTypeNode(type)) return null
  const parts = type.types.map(literalsIn)
  return parts.some((part) => part === null) ? null : new Set(parts.flatMap((part) => [...part!]))
}
