import ts from 'typescript'
import { GivenRows, GivenValues, given } from '../../src/store/given-rows.ts'
import { declarationOf } from './sources.ts'

/** What a name stands for that was made by `new GivenRows(...)` or `new GivenValues(...)`, made again from the sources. */
export function givenBy(name: ts.Identifier): GivenRows<unknown> | GivenValues<string> | null {
  const declaration = declarationOf(name.text, name)
  const made = declaration !== null && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  if (made === undefined || !ts.isNewExpression(made)) return null
  const [first, second, third] = made.arguments ?? []
  if (first === undefined) return null
  if (made.expression.getText() === 'GivenRows' && ts.isObjectLiteralExpression(first)) {
    const record = Object.fromEntries(entriesOf(first).map(([column, value]) => [column, columnOf(value)]))
    const types = second !== undefined && ts.isObjectLiteralExpression(second) ? entriesOf(second) : []
    const others = Object.fromEntries(
      types.map(([column, type]) => [column, ts.isStringLiteral(type) ? type.text : '']),
    )
    return new GivenRows<unknown, string>(record, others, numberOf(third)) as GivenRows<unknown>
  }
  if (made.expression.getText() !== 'GivenValues' || !ts.isArrayLiteralExpression(first)) return null
  return new GivenValues(
    first.elements.map((element) => (ts.isStringLiteral(element) ? element.text : '')),
    numberOf(second),
  )
}

function entriesOf(literal: ts.ObjectLiteralExpression): [string, ts.Expression][] {
  return literal.properties.flatMap((property) =>
    ts.isPropertyAssignment(property)
      ? [[property.name.getText(), property.initializer] as [string, ts.Expression]]
      : [],
  )
}

/** `given.uuid(...)`, or a call of a function that answers such. */
function columnOf(value: ts.Expression): ReturnType<typeof given.text<unknown>> {
  if (!ts.isCallExpression(value)) throw new Error(`no column: ${value.getText()}`)
  const { expression } = value
  if (ts.isPropertyAccessExpression(expression) && expression.expression.getText() === 'given')
    return given[expression.name.text as 'text']<unknown>(() => null)
  const declaration = ts.isIdentifier(expression) ? declarationOf(expression.text, value) : null
  const called = declaration !== null && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  if (called === undefined || !ts.isArrowFunction(called) || ts.isBlock(called.body))
    throw new Error(`no column: ${value.getText()}`)
  return columnOf(called.body)
}

/** `ROWS.after`; 1 where none is said. */
function numberOf(node: ts.Expression | undefined): number {
  const isAfter = node !== undefined && ts.isPropertyAccessExpression(node) && node.name.text === 'after'
  return isAfter && ts.isIdentifier(node.expression) ? givenBy(node.expression)!.after : 1
}
