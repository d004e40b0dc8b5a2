import ts from 'typescript'
import { GivenRows, GivenValues } from '../../src/store/given-rows.ts'
import { givenBy } from './given.ts'
import { type Declaration, declarationOf } from './sources.ts'

/** What the parameters of the functions stand for that the expression is in. */
type Given = ReadonlyMap<string, Bound>
interface Bound {
  node: ts.Expression
  given: Given
}

const NOTHING: Given = new Map()
const MOST_CALLS = 12

/** A statement whose text only the running service knows. */
export class ComposedAtRunTime extends Error {}

/** The text of a statement, with a parameter for every value, as it follows from the sources alone. */
export function textOf(expression: ts.Expression): string {
  return new Evaluation().text(expression, NOTHING)
}

class Evaluation {
  private values = 0
  private depth = 0

  text(expression: ts.Expression, given: Given): string {
    const text = this.fragment(unwrapped(expression), given)
    if (text === null) throw new ComposedAtRunTime(expression.getText().slice(0, 60))
    return text
  }

  /** The text of an expression that is SQL or a string; null when it is a value. */
  private fragment(node: ts.Expression, given: Given): string | null {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
    if (ts.isTaggedTemplateExpression(node) && isSqlTag(node.tag)) return this.template(node.template, given, true)
    if (ts.isTemplateExpression(node)) return this.template(node, given, false)
    if (ts.isBinaryExpression(node)) return this.text(node.left, given) + this.text(node.right, given)
    if (ts.isConditionalExpression(node)) return this.fragment(unwrapped(node.whenTrue), given)
    if (ts.isIdentifier(node)) return this.named(node, given)
    if (ts.isPropertyAccessExpression(node)) return this.property(node, given)
    if (ts.isCallExpression(node)) return this.call(node, given)
    return null
  }

  private template(template: ts.TemplateLiteral, given: Given, isTagged: boolean): string {
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text
    const spans = template.templateSpans.map(({ expression, literal }) => {
      const inner = unwrapped(expression)
      const isText = !isTagged || isSql(inner, given)
      return (isText ? this.text(inner, given) : this.value()) + literal.text
    })
    return template.head.text + spans.join('')
  }

  private value(): string {
    this.values += 1
    return `$${this.values}`
  }

  private named(node: ts.Identifier, given: Given): string | null {
    const bound = given.get(node.text)
    if (bound !== undefined) return this.fragment(unwrapped(bound.node), bound.given)
    const declaration = declarationOf(node.text, node)
    if (declaration === null) return null
    if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined) {
      if (!ts.isIdentifier(declaration.name)) return null
      const initializer = unwrapped(declaration.initializer)
      return ts.isNumericLiteral(initializer) ? initializer.text : this.fragment(initializer, given)
    }
    return null
  }

  /** A text in a table of texts: `COLUMNS.own`; or of what a statement is given: `ROWS.unnested`, `ONCE.the.at`. */
  private property(node: ts.PropertyAccessExpression, given: Given): string | null {
    const single = singleOf(node)
    if (single !== null) return single
    if (!ts.isIdentifier(node.expression)) return null
    const rows = givenBy(node.expression)
    if (rows instanceof GivenRows) return isTextOfRows(node.name.text) ? rows[node.name.text] : null
    const declaration = declarationOf(node.expression.text, node)
    if (declaration === null || !ts.isVariableDeclaration(declaration) || declaration.initializer === undefined)
      return null
    const table = unwrapped(declaration.initializer)
    if (!ts.isObjectLiteralExpression(table)) return null
    const entry = table.properties.find((property) => property.name?.getText() === node.name.text)
    return entry !== undefined && ts.isPropertyAssignment(entry)
      ? this.fragment(unwrapped(entry.initializer), given)
      : null
  }

  private call(node: ts.CallExpression, given: Given): string | null {
    const callee = node.expression
    if (ts.isPropertyAccessExpression(callee) && callee.expression.getText() === 'sql')
      return this.builder(callee.name.text, node, given)
    const rows = rowsOf(node)
    if (rows !== null) return rows.replace(/\$\d+/g, () => this.value())
    if (!ts.isIdentifier(callee)) return null
    const called = functionIn(declarationOf(callee.text, node))
    if (called === null || called.body === undefined) return null
    const answer = answerOf(called)
    if (answer === null) return null
    if (this.depth >= MOST_CALLS) throw new ComposedAtRunTime(callee.text)
    this.depth += 1
    const text = this.fragment(unwrapped(answer), boundTo(called, node, given))
    this.depth -= 1
    return text
  }

  private builder(name: string, node: ts.CallExpression, given: Given): string | null {
    const [first, separator] = node.arguments
    if (first === undefined) return null
    if (name === 'raw') return this.text(first, given)
    if (name === 'lit') return ts.isNumericLiteral(first) ? first.text : "'literal'"
    if (name !== 'join') return this.text(first, given)
    const list = unwrapped(first)
    if (!ts.isArrayLiteralExpression(list)) throw new ComposedAtRunTime(node.getText())
    const between = separator === undefined ? ', ' : this.text(separator, given)
    return list.elements.map((element) => this.fragment(unwrapped(element), given) ?? this.value()).join(between)
  }
}

function isTextOfRows(name: string): name is 'names' | 'selected' | 'unnested' | 'placed' {
  return ['names', 'selected', 'unnested', 'placed'].includes(name)
}

/** `$7` of `ONCE.the.at`. */
function singleOf({ expression, name }: ts.PropertyAccessExpression): string | null {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'the') return null
  const values = ts.isIdentifier(expression.expression) ? givenBy(expression.expression) : null
  return values instanceof GivenValues ? (values.the[name.text] ?? null) : null
}

/** What `ROWS.of(...)` and `ROWS.placedOf(...)` are. */
function rowsOf({ expression }: ts.CallExpression): string | null {
  if (!ts.isPropertyAccessExpression(expression) || !ts.isIdentifier(expression.expression)) return null
  const method = expression.name.text
  const rows = method === 'of' || method === 'placedOf' ? givenBy(expression.expression) : null
  if (!(rows instanceof GivenRows)) return null
  return method === 'of' ? rows.unnested : rows.placed
}

function isSqlTag(tag: ts.Expression): boolean {
  return ts.isIdentifier(tag) && tag.text === 'sql'
}

/** Whether an expression in a statement is SQL itself: a text in a statement would be sent as a value. */
function isSql(node: ts.Expression, given: Given): boolean {
  if (ts.isTaggedTemplateExpression(node)) return isSqlTag(node.tag)
  if (ts.isConditionalExpression(node)) return isSql(unwrapped(node.whenTrue), given)
  if (ts.isCallExpression(node))
    return /^sql\./.test(node.expression.getText()) || rowsOf(node) !== null || isSqlCall(node, given)
  if (!ts.isIdentifier(node)) return false
  const bound = given.get(node.text)
  if (bound !== undefined) return isSql(unwrapped(bound.node), bound.given)
  const declaration = declarationOf(node.text, node)
  if (declaration === null) return false
  if (ts.isParameter(declaration)) return saysStatement(declaration.type)
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return false
  return saysStatement(declaration.type) || isSql(unwrapped(declaration.initializer), given)
}

function isSqlCall(node: ts.CallExpression, given: Given): boolean {
  const called = ts.isIdentifier(node.expression) ? functionIn(declarationOf(node.expression.text, node)) : null
  if (called === null) return false
  const answer = answerOf(called)
  return saysStatement(called.type) || (answer !== null && isSql(unwrapped(answer), boundTo(called, node, given)))
}

function saysStatement(type: ts.TypeNode | undefined): boolean {
  return /Statement|RawBuilder/.test(type?.getText() ?? '')
}

type Called = ts.FunctionDeclaration | ts.ArrowFunction

function functionIn(declaration: Declaration | null): Called | null {
  if (declaration === null) return null
  if (ts.isFunctionDeclaration(declaration)) return declaration
  const made = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  return made !== undefined && ts.isArrowFunction(made) ? made : null
}

/** What a function answers when all that it does is answer. */
function answerOf({ body }: Called): ts.Expression | null {
  if (body === undefined) return null
  if (!ts.isBlock(body)) return body
  const last = body.statements.at(-1)
  return last !== undefined && ts.isReturnStatement(last) ? (last.expression ?? null) : null
}

function boundTo(called: Called, node: ts.CallExpression, given: Given): Given {
  const bound = new Map<string, Bound>()
  for (const [at, parameter] of called.parameters.entries()) {
    const argument = node.arguments[at] ?? parameter.initializer
    if (argument !== undefined && ts.isIdentifier(parameter.name))
      bound.set(parameter.name.text, { node: argument, given })
  }
  return bound
}

function unwrapped(node: ts.Expression): ts.Expression {
  const isWrapper =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node)
  return isWrapper ? unwrapped(node.expression) : node
}
