import type { ClientCode } from './codes.ts'
import type { FailureWith } from './errors.ts'
import type { codes, components, operations } from './schema.d.ts'

/** The name of an operation, as `operationId` in the OpenAPI document. */
export type OperationName = keyof operations

/** A schema of the OpenAPI document, such as `Schema<'Mention'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** The failures that an operation can end in, discriminated by `code`. */
export type FailureOf<Name extends OperationName> = FailureWith<codes[Name] | ClientCode>

/** What `outcome()` resolves to. */
export type Outcome<Data, Error> = { ok: true; data: Data } | { ok: false; error: Error }

type Parameters<Name extends OperationName, Part extends 'path' | 'query'> = OrNothing<
  NonNullable<operations[Name]['parameters'][Part]>
>
type OrNothing<Part> = [Part] extends [never] ? unknown : Part

/** Groups of conditions are given as objects; the client encodes them. */
type QueryOf<Name extends OperationName> =
  Parameters<Name, 'query'> extends infer Query
    ? Query extends { anyOf?: string }
      ? Omit<Query, 'anyOf'> & { anyOf?: NonNullable<Schema<'RuleFilter'>['anyOf']> | string }
      : Query
    : never

/** The client fills a `requestId` that is left out. */
type BodyOf<Name extends OperationName> =
  NonNullable<operations[Name]['requestBody']> extends infer Sent
    ? [Sent] extends [never]
      ? unknown
      : Sent extends { content: { 'application/json': infer Body } }
        ? WithOptionalId<Body>
        : unknown
    : never
type WithOptionalId<Body> = Body extends { requestId: string } ? Omit<Body, 'requestId'> & { requestId?: string } : Body

type Flat<Type> = Type extends unknown ? { [Key in keyof Type]: Type[Key] } : never

/** Everything that an operation takes, in one object: parts of the path, parameters and fields of the body. */
export type InputOf<Name extends OperationName> = Flat<Parameters<Name, 'path'> & QueryOf<Name> & BodyOf<Name>>

type Success = 200 | 201 | 202 | 204
type ContentOf<Answer> = Answer extends { content?: infer Content }
  ? [NonNullable<Content>] extends [never]
    ? undefined
    : NonNullable<Content>[keyof NonNullable<Content>]
  : never

/** What an operation returns. `undefined` for an empty answer, a string for CSV and Atom. */
export type AnswerOf<Name extends OperationName> = ContentOf<
  operations[Name]['responses'][Success & keyof operations[Name]['responses']]
>

/** Operations that return pages. */
export type PagedName = {
  [Name in OperationName]: InputOf<Name> extends { cursor?: string } | { offset?: number }
    ? 'cursor' extends keyof InputOf<Name>
      ? Name
      : 'offset' extends keyof InputOf<Name>
        ? Name
        : never
    : never
}[OperationName]

/** An element of the pages of an operation. */
export type ItemOf<Name extends OperationName> = AnswerOf<Name> extends { data: readonly (infer Item)[] } ? Item : never
